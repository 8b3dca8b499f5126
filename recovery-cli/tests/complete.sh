#!/usr/bin/env bash
# usage: complete.sh SHELL COMPLETIONS_FILE LINE
# Prints what the shell offers when Tab is pressed at the end of LINE.
set -u
shell=$1 file=$2 line=$3
case $shell in
bash)
    bash --norc -c '
        source "$1"
        read -ra COMP_WORDS <<<"$2"
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_LINE=$2 COMP_POINT=${#2} COMPREPLY=()
        function=$(complete -p recovery | sed "s/.*-F \([^ ]*\).*/\1/")
        "$function" recovery "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
        printf "%s\n" "${COMPREPLY[@]}"' bash "$file" "$line"
    ;;
fish)
    fish --no-config -c 'source $argv[1]; complete --do-complete $argv[2]' "$file" "$line" | cut -f1
    ;;
zsh)
    # An interactive zsh in a pseudo terminal: completion runs in its line editor only. Ctrl-X prints the edited line after
    # what Tab listed, so nobody has to guess when it is done.
    directory=$(mktemp -d)
    trap 'rm -rf "$directory"' EXIT
    cp "$file" "$directory/_recovery"
    timeout 60 zsh -f -c '
        zmodload zsh/zpty
        zpty shell zsh -f -i
        zpty -w shell "stty -echo columns 200 rows 200; PROMPT= fpath=($1 \$fpath); autoload -Uz compinit; compinit -u -D"
        zpty -w shell "show() { zle -I; print -r LINE: \$BUFFER :EN\"\"D; }; zle -N show; bindkey \"^X\" show; echo REA\"\"DY"
        zpty -r shell output "*READY*"
        zpty -w -n shell "$2"$'"'\t\x18'"'
        zpty -r shell output "*:END*"
        print -r -- "$output"
        zpty -d shell' zsh "$directory" "$line" | sed 's/\x1b\[[0-9;?]*[A-Za-z]//g; s/[\r\x07]/ /g'
    ;;
esac
