# SPDX-License-Identifier: MIT
# Prints what zsh offers after a command line, one word a line.
#   zsh -f complete.zsh FUNCTIONS WORKFILE COMMAND_LINE
# Only a shell with a line editor completes, so one is started in a pseudo terminal; there compadd,
# through which every offer goes, writes down what it is given.
if [[ $1 == inside ]]; then
    fpath=($2 $fpath)
    offers=$3
    autoload -Uz compinit && compinit -u -D
    compadd() {
        local word
        local -a matches
        for word in "$@"; do
            [[ $word == (-|--) ]] && break
            [[ $word == -[OAD] ]] && { builtin compadd "$@"; return }
        done
        builtin compadd -O matches "$@"
        print -rl -- $matches >> $offers
        builtin compadd "$@"
    }
    zle -C list-offers list-choices _main_complete
    offer() { zle list-offers; print '<end>' >> $offers }
    zle -N offer
    bindkey '^I' offer
    print '<ready>' >> $offers
    return
fi

zmodload zsh/zpty zsh/datetime
wait_for() {
    local -F deadline=$((EPOCHREALTIME + 90))
    while [[ $(<$1) != *$2* ]]; do
        ((EPOCHREALTIME > deadline)) && { print -u2 "zsh did not answer"; exit 1 }
        sleep 0.01
    done
}
: > $2
zpty shell zsh -f -i
zpty -w shell "source ${0:A} inside $1 $2"
wait_for $2 '<ready>'
zpty -w -n shell "$3"$'\t'
wait_for $2 '<end>'
zpty -d shell
sed -e '/^</d' -e '/^$/d' $2
