// Conveniences of a page that is complete without them. Plain and small, without a framework: the page is one file that loads
// nothing and has to work for as long as browsers do.
'use strict';

document.documentElement.classList.add('js');

// Tables are sorted by a click on a column's title: by the figures behind the texts where there are any. Lines of detail stay
// below their row.
(function () {
	function key(row, column) {
		const cell = row.cells[column];

		if (!cell)
			return '';
		return cell.dataset.v === undefined ? cell.textContent : Number(cell.dataset.v);
	}

	function compare(a, b) {
		if (typeof a === 'number' && typeof b === 'number')
			return a - b;
		return String(a).localeCompare(String(b), undefined, {numeric: true});
	}

	function groups(body) {
		const all = [];

		for (const row of body.rows)
			if (row.classList.contains('detail') && all.length)
				all[all.length - 1].push(row);
			else
				all.push([row]);
		return all;
	}

	function sort(table, head) {
		const descends = head.getAttribute('aria-sort') !== 'descending', body = table.tBodies[0];
		const sorted = groups(body).map(rows => ({rows: rows, key: key(rows[0], head.cellIndex)}));

		sorted.sort((a, b) => descends ? compare(b.key, a.key) : compare(a.key, b.key));
		for (const other of head.parentNode.cells)
			other.removeAttribute('aria-sort');
		head.setAttribute('aria-sort', descends ? 'descending' : 'ascending');
		for (const group of sorted)
			body.append(...group.rows);
	}

	for (const table of document.querySelectorAll('table')) {
		if (!table.tHead || table.tBodies[0].rows.length < 2)
			continue;
		for (const head of table.tHead.rows[0].cells) {
			const button = document.createElement('button');

			button.type = 'button';
			button.append(...head.childNodes);
			button.addEventListener('click', () => sort(table, head));
			head.append(button);
		}
	}
})();

// A stop of the keyboard is only where there is something to scroll.
for (const region of document.querySelectorAll('.scroll'))
	if (region.scrollWidth <= region.clientWidth)
		region.removeAttribute('tabindex');

// The contents show which section is being read.
(function () {
	const links = new Map();

	for (const link of document.querySelectorAll('nav a'))
		links.set(link.hash.slice(1), link);
	if (!links.size || !window.IntersectionObserver)
		return;
	const seen = new Set(), sections = [...document.querySelectorAll('main > section')];

	const observer = new IntersectionObserver(function (entries) {
		for (const entry of entries)
			seen[entry.isIntersecting ? 'add' : 'delete'](entry.target);
		const first = sections.find(section => seen.has(section));

		for (const [id, link] of links)
			if (first && id === first.id)
				link.setAttribute('aria-current', 'true');
			else
				link.removeAttribute('aria-current');
	}, {rootMargin: '-80px 0px -60% 0px'});

	sections.forEach(section => observer.observe(section));
})();
