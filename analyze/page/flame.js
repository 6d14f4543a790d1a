// Flame graphs: one measure at a time, zoom, search. Each box is an svg with data-v, its time in ns, and a title that begins with
// its name; boxes stand in the order of their depth.
'use strict';

(function () {
	const root = document.getElementById('flame');

	if (!root)
		return;
	const figures = [...root.querySelectorAll('figure')].map(readFigure);
	let shown = figures.find(figure => figure.boxes.length) || figures[0];
	let focus = null;

	// ---- reading

	function readFigure(element) {
		const boxes = [...element.querySelectorAll('.flame-graph > svg')].map(readBox);

		boxes.forEach((box, index) => linkBox(boxes, box, index));
		return {element: element, boxes: boxes, zoomed: boxes[0] || null};
	}

	function readBox(element) {
		const lines = element.querySelector('title').textContent.split('\n');

		return {
			element: element, place: lines[0], figures: lines[1], time: Number(element.dataset.v),
			x: parseFloat(element.getAttribute('x')), width: parseFloat(element.getAttribute('width')),
			y: parseFloat(element.getAttribute('y')), parent: null, children: []
		};
	}

	// Boxes are printed level by level, so that a parent stands before its children, which come in the order of their parents.
	function linkBox(boxes, box, index) {
		const middle = box.x + box.width / 2;

		for (let i = index - 1; i >= 0 && !box.parent; i--)
			if (boxes[i].y < box.y && boxes[i].x <= middle && middle <= boxes[i].x + boxes[i].width)
				box.parent = boxes[i];
		if (box.parent)
			box.parent.children.push(box);
	}

	// The style of the figures in the tables (analyze/base/quantity.h): three digits, never an exponent.
	function seconds(ns) {
		const units = [
			[0.99917 * 3600e9, 3600e9, 'h'], [999.5e9, 60e9, 'min'], [0.9995e9, 1e9, 's'], [0.9995e6, 1e6, 'ms'],
			[0.9995e3, 1e3, 'us']
		];

		for (const [least, unit, name] of units)
			if (ns >= least) {
				const number = ns / unit;

				return number.toFixed(number >= 99.95 ? 0 : number >= 9.995 ? 1 : 2) + ' ' + name;
			}
		return Math.round(ns) + ' ns';
	}

	function percent(number) {
		return number.toFixed(number < 9.95 && number > 0 ? 1 : 0) + ' %';
	}

	// ---- zoom

	function isAbove(box, zoomed) {
		for (let at = zoomed.parent; at; at = at.parent)
			if (at === box)
				return true;
		return false;
	}

	function place(box, x, width) {
		const has_room = width >= 1.5;
		let text = box.element.querySelector('text');

		box.element.setAttribute('x', x + '%');
		box.element.setAttribute('width', width + '%');
		if (has_room && !text) {
			text = document.createElementNS('http://www.w3.org/2000/svg', 'text');
			text.setAttribute('x', '4');
			text.setAttribute('y', '13');
			text.textContent = box.place.replace(/ \([^()]*\)$/, '');
			box.element.append(text);
		}
		if (text)
			text.style.display = has_room ? '' : 'none';
	}

	function zoom(figure, zoomed) {
		const scale = 100 / zoomed.width;

		figure.zoomed = zoomed;
		for (const box of figure.boxes) {
			const above = isAbove(box, zoomed), x = (box.x - zoomed.x) * scale, width = box.width * scale;
			const inside = above || (box.y >= zoomed.y && x > -0.01 && x + width < 100.01);

			box.element.classList.toggle('above', above);
			box.element.style.display = inside ? '' : 'none';
			if (inside)
				place(box, above ? 0 : x, above ? 100 : width);
		}
		reset.disabled = !zoomed.parent;
	}

	// ---- search: what is inside of something found is not counted again

	function search() {
		const word = input.value.trim().toLowerCase();
		let count = 0, time = 0;

		for (const box of shown.boxes) {
			box.isHit = word !== '' && box.parent !== null && box.place.toLowerCase().includes(word);
			box.isInHit = box.parent !== null && (box.parent.isHit || box.parent.isInHit);
			box.element.classList.toggle('hit', box.isHit);
			count += box.isHit;
			time += box.isHit && !box.isInHit ? box.time : 0;
		}
		found.dataset.count = count;
		found.dataset.ns = time;
		found.textContent = word === '' ? '' :
			count + (count === 1 ? ' box, ' : ' boxes, ') + seconds(time) +
			(shown.boxes.length ? ', ' + percent(100 * time / shown.boxes[0].time) : '');
	}

	// ---- the keyboard: one stop, then arrows from box to box

	function tell(box) {
		status.textContent = box ? box.place + ': ' + box.figures : '';
	}

	function isVisible(box) {
		return box && box.element.style.display !== 'none';
	}

	function setFocus(box) {
		if (!isVisible(box))
			return;
		if (focus)
			focus.element.classList.remove('focus');
		focus = box;
		focus.element.classList.add('focus');
		focus.element.scrollIntoView({block: 'nearest'});
		tell(focus);
	}

	function beside(box, step) {
		const all = box.parent ? box.parent.children : [box];

		return all[all.indexOf(box) + step];
	}

	function onKey(event, figure) {
		const at = focus && figure.boxes.includes(focus) ? focus : figure.zoomed;
		const moves = {
			ArrowDown: () => setFocus(at.children.find(isVisible)), ArrowUp: () => setFocus(at.parent),
			ArrowLeft: () => setFocus(beside(at, -1)), ArrowRight: () => setFocus(beside(at, 1)),
			Enter: () => zoom(figure, at), Escape: () => zoom(figure, figure.boxes[0])
		};

		if (!moves[event.key])
			return;
		event.preventDefault();
		moves[event.key]();
	}

	// ---- controls, which without script there are none of

	function element(name, attributes, parent) {
		const made = document.createElement(name);

		for (const key in attributes)
			made.setAttribute(key, attributes[key]);
		parent.append(made);
		return made;
	}

	const tools = document.createElement('div');
	const tabs = element('div', {role: 'tablist', 'aria-label': 'Measure'}, tools);
	const input = element('input', {type: 'search', placeholder: 'Search for a routine', 'aria-label': 'Search for a routine'}, tools);
	const reset = element('button', {type: 'button'}, tools);
	const found = element('output', {'aria-live': 'polite', id: 'flame-found'}, tools);
	const status = document.createElement('p');

	function show(figure) {
		shown = figure;
		for (const other of figures) {
			other.element.hidden = other !== figure;
			other.tab.setAttribute('aria-selected', String(other === figure));
			other.tab.tabIndex = other === figure ? 0 : -1;
		}
		reset.disabled = !figure.zoomed || !figure.zoomed.parent;
		tell(null);
		search();
	}

	function addTab(figure, index) {
		figure.tab = element('button', {type: 'button', role: 'tab', 'aria-controls': figure.element.id}, tabs);
		figure.tab.textContent = figure.element.dataset.title;
		figure.tab.id = figure.element.id + '-tab';
		figure.element.setAttribute('role', 'tabpanel');
		figure.element.setAttribute('aria-labelledby', figure.tab.id);
		figure.tab.addEventListener('click', () => show(figure));
		figure.tab.addEventListener('keydown', function (event) {
			const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? figures.length - 1 : 0;
			const next = figures[(index + step) % figures.length];

			if (step) {
				show(next);
				next.tab.focus();
			}
		});
	}

	function listen(figure) {
		const graph = figure.element.querySelector('.flame-graph');
		const boxOf = event => figure.boxes.find(box => box.element === event.target.closest('.flame-graph > svg'));

		if (!graph)
			return;
		graph.setAttribute('tabindex', '0');
		graph.addEventListener('click', event => boxOf(event) && zoom(figure, boxOf(event)));
		graph.addEventListener('mouseover', event => tell(boxOf(event)));
		graph.addEventListener('keydown', event => onKey(event, figure));
	}

	tools.className = 'tools';
	status.className = 'status';
	status.setAttribute('aria-live', 'polite');
	reset.textContent = 'Reset zoom';
	reset.addEventListener('click', () => zoom(shown, shown.boxes[0]));
	input.addEventListener('input', search);
	figures.forEach(addTab);
	figures.forEach(listen);
	root.prepend(tools, status);
	show(shown);
})();
