# SPDX-License-Identifier: MIT
# Completion for bash. Nothing of the programs' options stands here: each prints its own table (--print-options, one row for each:
# option, letter, argument, values, text; tabs between them, "-" where there is nothing), and what is to be done with a value
# follows from how the table calls the argument. Works with and without the package bash-completion.

# Rows of the table of the program that is typed.
_ptrace_rows() {
	"${1/#\~\//$HOME/}" --print-options 2>/dev/null
}

# Sets argument and values from the row of the option $1; fails if there is no such row.
_ptrace_look_up() {
	local option letter
	while IFS=$'\t' read -r option letter argument values _; do
		[[ $1 != "$option" && $1 != "$letter" ]] || return 0
	done <<<"$rows"
	return 1
}

# Whether the next word is a value: of --name, of -x, or of the last letter of -xyz.
_ptrace_takes_next() {
	local argument values word=$1
	[[ $word == --* || $word != -?* ]] || word=-${word: -1}
	_ptrace_look_up "$word" && [[ $argument != - && $argument != \[* ]]
}

# Not by compgen -W, which executes what is in its words: part of them may be what was typed.
_ptrace_offer_words() {
	local word words
	read -ra words <<<"$1"
	for word in "${words[@]}"; do
		[[ $word != "$cur"* ]] || COMPREPLY+=("$word")
	done
}

# Several of the words $1, with commas between them: those that are not there yet.
_ptrace_offer_list() {
	local before='' word words=''
	[[ $cur != *,* ]] || before=${cur%,*},
	for word in $1; do
		[[ ,$before == *,"$word",* ]] || words+=" $before$word"
	done
	_ptrace_offer_words "$words"
	compopt -o nospace 2>/dev/null
}

_ptrace_offer_paths() {
	mapfile -t COMPREPLY < <(compgen "$1" -- "$cur")
	compopt -o filenames 2>/dev/null
}

# Directories that are runs; if there are none, all of them, as ways to one.
_ptrace_offer_runs() {
	local path runs=()
	_ptrace_offer_paths -d
	for path in "${COMPREPLY[@]}"; do
		[[ $path != *.ptrace.* && ! -e $path/run.json ]] || runs+=("$path")
	done
	[[ ${#runs[@]} == 0 ]] || COMPREPLY=("${runs[@]}")
}

_ptrace_offer_processes() {
	local path processes=''
	for path in /proc/[0-9]*; do
		[[ ! -O $path ]] || processes+=" ${path#/proc/}"
	done
	_ptrace_offer_words "$processes"
}

# A value of the option whose row has been looked up.
_ptrace_offer_values() {
	local known=${values#-}
	case $argument in
	*,* | LIST) _ptrace_offer_list "$known" ;;
	*DIR* | *=TO | RUN2) _ptrace_offer_paths -d ;;
	FILE | NAME\[:LINE\]) _ptrace_offer_paths -f ;;
	*) _ptrace_offer_words "$known" ;;
	esac
}

_ptrace_offer_options() {
	local option letter rest words=''
	while IFS=$'\t' read -r option letter rest; do
		words+=" $option"
		[[ $letter == - ]] || words+=" $letter"
	done <<<"$rows"
	_ptrace_offer_words "$words"
}

# Sets first to the index of the first word that is no option and no value of one; to 0 if there is none before the cursor.
_ptrace_find_first() {
	local at
	for ((at = 1, first = 0; at < COMP_CWORD; at++)); do
		case ${COMP_WORDS[at]} in
		--) first=$((at + 1)); return ;;
		-?*)
			[[ ${COMP_WORDS[at + 1]} != = ]] || { ((at += 2)); continue; }
			! _ptrace_takes_next "${COMP_WORDS[at]}" || ((at++))
			;;
		*) first=$at; return ;;
		esac
	done
}

# The program that is to run, or its arguments, in its own way if that is known.
_ptrace_offer_command() {
	if declare -F _comp_command_offset >/dev/null; then
		_comp_command_offset "$1"
	elif declare -F _command_offset >/dev/null; then
		_command_offset "$1"
	elif ((COMP_CWORD > $1)) || [[ $cur == */* ]]; then
		_ptrace_offer_paths -f
	else
		mapfile -t COMPREPLY < <(compgen -c -- "$cur" | sort -u)
	fi
}

_ptrace_offer_operand() {
	case ${1##*/} in
	ptrace-run) _ptrace_offer_command "$COMP_CWORD" ;;
	ptrace-attach) _ptrace_offer_processes ;;
	*) _ptrace_offer_runs ;;
	esac
}

_ptrace() {
	local cur=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} rows first argument values
	COMPREPLY=()
	rows=$(_ptrace_rows "$1")
	# bash parts --name=value into three words
	if [[ $cur == = ]]; then
		cur=''
	elif [[ $before == = ]]; then
		before=${COMP_WORDS[COMP_CWORD - 2]}
	elif ! _ptrace_takes_next "$before"; then
		before=''
	fi
	_ptrace_find_first
	if ((first)) && [[ ${1##*/} == ptrace-run ]]; then
		_ptrace_offer_command "$first"
	elif [[ $before == -?* ]]; then
		[[ $before == --* ]] || before=-${before: -1}
		! _ptrace_look_up "$before" || _ptrace_offer_values
	elif [[ $cur == -* ]]; then
		_ptrace_offer_options
	else
		_ptrace_offer_operand "$1"
	fi
}

complete -F _ptrace ptrace-run ptrace-attach ptrace-report ptrace-diff ptrace-export ptrace-merge ptrace-top
