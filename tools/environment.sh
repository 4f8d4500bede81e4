# Sourced by ./play and ./check: makes .venv and keeps it as pyproject.toml and constraints.txt say.
# POSIX sh. The caller sets `root`, the checkout, as an absolute path.

me=./${0##*/}
venv=$root/.venv
log=$venv/install.log
stamp=$venv/upcard.stamp
lock=$root/.venv.lock

# Another environment's settings would change what is installed here, and where.
unset PYTHONHOME PYTHONPATH VIRTUAL_ENV
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_USER=0

step() { printf '%s: %s\n' "$me" "$*" >&2; }

stop() {
    step "$@"
    exit 2
}

# Any Python since 2.7 can run this. It prints the version and, when that will do, the interpreter's
# path without links: a shim, a link and an activated .venv all lead to the same one.
python_facts='import os, sys
print("%d.%d.%d" % sys.version_info[:3])
if (3, 11) <= sys.version_info[:2] <= (3, 14):
    print(os.path.realpath(getattr(sys, "_base_executable", "") or sys.executable))'

# Sets python and version. When none will do, python is empty and unfit says what is there.
find_python() {
    python='' version='' unfit=''
    for name in python3 python3.14 python3.13 python3.12 python3.11; do
        facts=$("$name" -c "$python_facts" 2>/dev/null) || continue
        { read -r version; read -r python; } <<FACTS
$facts
FACTS
        [ -z "$python" ] || return 0
        : "${unfit:=$name here is $version}"
    done
    version=''
}

# Sets tool, to uv or pip, or stops.
find_tool() {
    find_python
    if command -v uv >/dev/null 2>&1; then
        tool=uv
        # Where the machine has no Python that will do, uv brings one.
        : "${python:=3.13}"
        # uv, unlike pip, gives up when it cannot write its cache.
        cache=$(uv cache dir 2>/dev/null)
        { mkdir -p "$cache" && [ -w "$cache" ]; } 2>/dev/null || export UV_NO_CACHE=1
        return
    fi
    tool=pip
    [ -n "$python" ] || stop "needs Python 3.11 to 3.14, and ${unfit:-no python3 is on the PATH};" \
        "install one of these, or uv, and run $me again"
    "$python" -c 'import ensurepip, venv' 2>/dev/null || stop "$python has no venv module;" \
        "install it (on Debian or Ubuntu: apt install python3-venv), or uv, and run $me again"
}

read_stamp() {
    had_base='' had_contents='' had_extras=''
    if [ -x "$venv/bin/python" ] && [ -r "$stamp" ]; then
        { read -r had_base; read -r had_contents; read -r had_extras; } <"$stamp"
    fi
    # Once there, the test extras stay: ./play must not take them from a developer.
    [ "$had_extras" != test ] || extras='test'
}

is_ready() {
    read_stamp
    [ "$had_base" = "$base" ] && [ "$had_contents" = "$contents" ] && [ "$had_extras" = "$extras" ]
}

# What the log says went wrong, and what to do about it.
why() {
    if grep -Eiq 'connection|name resolution|dns error|timed out|unreachable|sending request' "$log"
    then
        printf 'the package index cannot be reached; check the network and the index that %s uses' "$tool"
    elif grep -Eq 'ResolutionImpossible|No matching distribution|No solution found' "$log"; then
        printf 'the package index that %s uses lacks what constraints.txt names; check that index' "$tool"
    else
        printf '%s; put that right' "$(grep -v '^ *$' "$log" | tail -n 1)"
    fi
    printf ' and run %s again (all that %s said is in %s)' "$me" "$tool" "$log"
}

install() {
    if [ "$tool" = uv ]; then
        uv pip install --python "$venv/bin/python" --constraints constraints.txt "$@"
    else
        "$venv/bin/python" -m pip install --constraint constraints.txt "$@"
    fi >>"$log" 2>&1
}

make_venv() {
    step "making .venv with $tool ($python)"
    rm -rf "$venv"
    mkdir "$venv"
    if [ "$tool" = uv ]; then
        uv venv --allow-existing --python "$python" "$venv"
    else
        "$python" -m venv "$venv"
    fi >"$log" 2>&1 || stop "$tool could not make .venv: $(why)"
}

fill_venv() {
    case $extras in
        test)
            what='.[test]'
            step "installing Upcard and what its tests need with $tool"
            # Half of all this is never imported; the rest is compiled when it first is.
            export PIP_COMPILE=0
            ;;
        *) what=.; step "installing Upcard with $tool" ;;
    esac
    # Should this fail, the next run finds an empty environment and has that much less to do.
    printf '%s\n' "$base" >"$stamp"
    : >"$log"
    # The build backend goes first and the build is not isolated: so constraints.txt holds for it.
    install hatchling editables || stop "$tool could not install the packages: $(why)"
    build_client
    install --no-build-isolation --editable "$what" ||
        stop "$tool could not install the packages: $(why)"
    printf '%s\n' "$base" "$contents" "$extras" >"$stamp"
}

# Two runs at once must not make one .venv. A lock whose holder is gone counts for nothing.
take_lock() {
    [ -w "$root" ] || stop "cannot write in $root, where .venv has its place"
    told=''
    until (set -C; echo $$ >"$lock") 2>/dev/null; do
        holder=$(cat "$lock" 2>/dev/null)
        if [ -n "$holder" ] && ! kill -0 "$holder" 2>/dev/null; then
            rm -f "$lock"
        else
            [ -n "$told" ] || step "waiting for process $holder, which is making .venv"
            told=yes
            sleep 1
        fi
    done
    trap 'rm -f "$lock"' EXIT
    trap 'exit 129' HUP
    trap 'exit 130' INT
    trap 'exit 143' TERM
}

drop_lock() {
    rm -f "$lock"
    trap - EXIT HUP INT TERM
}

# Builds the browser client where its sources are newer, and gets what that needs first.
build_client() {
    [ -d web/src ] || return 0
    needs=$("$venv/bin/python" hatch_build.py --needs 2>>"$log") ||
        stop "hatch_build.py failed: $(why)"
    case $needs in
        '') return 0 ;;
        nothing) step "building the browser table with npm" ;;
        *)
            step "building the browser table with $needs"
            install "$needs" || stop "$tool could not install $needs: $(why)"
            ;;
    esac
    "$venv/bin/python" hatch_build.py >>"$log" 2>&1 ||
        stop "the browser table could not be built: $(why)"
}

# prepare_environment EXTRAS: afterwards .venv holds Upcard, and what its tests need when EXTRAS is
# `test`; `none` does not ask for it. Goes to the checkout; stops with a sentence and exit code 2.
prepare_environment() {
    extras=$1
    cd "$root" || exit 2
    find_tool
    base="$tool $python $version $root"
    contents=$(cat pyproject.toml constraints.txt | cksum)
    if ! is_ready; then
        take_lock
        # Another run may have made it while this one waited.
        if ! is_ready; then
            [ "$had_base" = "$base" ] || make_venv
            fill_venv
        fi
        drop_lock
    elif [ -d web/src ] && [ -n "$("$venv/bin/python" hatch_build.py --needs)" ]; then
        take_lock
        : >"$log"
        build_client
        drop_lock
    fi
}
