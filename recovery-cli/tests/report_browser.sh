#!/usr/bin/env bash
# The HTML report in a real browser: no console errors, every control reachable by keyboard, axe-core without a violation in
# light and dark, nothing wider than the window at 420, 800 and 1280 px, printable. Screenshots are left in the folder given.
#
#   recovery-cli/tests/report_browser.sh [FOLDER]      (RECOVERY=path/to/recovery, default: target/debug/recovery)
#
# Needs Chromium (Debian's `chromium`) and npm; what is missing is installed.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
recovery=${RECOVERY:-$root/target/debug/recovery}
out=${1:-$(mktemp -d)}
mkdir -p "$out"
chromium=$(command -v chromium || command -v chromium-browser || true)
if [ -z "$chromium" ]; then
    apt-get install -y -q --no-install-recommends chromium fonts-dejavu-core >&2
    chromium=$(command -v chromium)
fi
axe=${AXE:-$out/node_modules/axe-core/axe.min.js}
[ -e "$axe" ] || npm install --silent --prefix "$out" axe-core >&2

# A morning after: something stuck, a failed run, a flaky one, one that an agent was kept from repeating.
project=$(mktemp -d)
trap 'rm -rf "$project"' EXIT
cp -R "$root/recovery-cli/tests/cmd/project/." "$project"
cd "$project"
export HOME=$project
"$recovery" run -q -- ./fetch.sh >/dev/null 2>&1
"$recovery" run -q -- ./push.sh >/dev/null 2>&1 || true
"$recovery" decide --task login logs/build.log >/dev/null
"$recovery" decide --task checkout logs/test.log >/dev/null
"$recovery" resolve checkout >/dev/null
echo "fatal: Authentication failed for 'https://git.example.com/shop.git/'" | "$recovery" decide --task push >/dev/null
for n in 1 2 3 4 5; do
    call='"session_id":"s","tool_name":"Bash","tool_use_id":"t'$n'","tool_input":{"command":"make check"}'
    echo "{\"hook_event_name\":\"PreToolUse\",$call}" | "$recovery" hook claude-code >/dev/null
    echo "{\"hook_event_name\":\"PostToolUseFailure\",$call,\"error\":\"Exit code 1\\nAssertionError: 3 != 4\\n1 failed\"}" |
        "$recovery" hook claude-code >/dev/null
done
"$recovery" report --html "$out/report.html" >/dev/null
cd "$out"

# The same page with axe-core and a few questions of our own; the answers end up in the title.
{
    cat report.html
    printf '<script>'
    cat "$axe"
    cat <<'JS'
</script>
<script>
addEventListener("load", async () => {
  const wrong = [];
  const found = await axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"] });
  for (const v of found.violations) wrong.push(v.id + ": " + v.nodes.map((n) => n.target.join(" ")).slice(0, 3).join(", "));
  const wide = document.documentElement.scrollWidth - innerWidth;
  if (wide > 0) wrong.push("the page is " + wide + " px too wide");
  for (const e of document.querySelectorAll("summary, input, pre, .scroll")) {
    if (e.closest("details:not([open])") && e.tagName !== "SUMMARY") continue;
    e.focus();
    if (document.activeElement !== e) wrong.push("not reachable by keyboard: " + e.tagName);
  }
  const box = document.getElementById("filter");
  box.value = "push.sh";
  box.dispatchEvent(new Event("input"));
  const shown = [...document.querySelectorAll(".card.item")].filter((e) => !e.hidden && e.offsetParent);
  if (shown.length !== 1) wrong.push("the filter shows " + shown.length + " cards instead of 1");
  box.value = "";
  box.dispatchEvent(new Event("input"));
  if (!document.querySelector("circle title")) wrong.push("no tooltips");
  document.title = "RESULT " + (wrong.length ? wrong.join(" | ") : "ok");
});
</script>
JS
} > checked.html

browser() { timeout 120 "$chromium" --headless --no-sandbox --disable-gpu --hide-scrollbars --virtual-time-budget=15000 --user-data-dir="$project/.chromium" "$@"; }
failed=0
for width in 420 800 1280; do
    for scheme in light dark; do
        flags=("--window-size=$width,900")
        [ $scheme = dark ] && flags+=(--force-dark-mode "--blink-settings=preferredColorScheme=0")
        [ $scheme = light ] && flags+=("--blink-settings=preferredColorScheme=1")
        browser "${flags[@]}" --enable-logging=stderr --dump-dom "file://$out/checked.html" > dom.html 2> log.txt || true
        result=$(grep -o '<title>RESULT [^<]*' dom.html | head -1 | cut -c8- || true)
        echo "$width px, $scheme: ${result:-no result}"
        [ "$result" = "RESULT ok" ] || failed=1
        if grep "CONSOLE" log.txt; then failed=1; fi
        browser "${flags[@]/,900/,4200}" --screenshot="$out/$width-$scheme.png" "file://$out/report.html" 2> /dev/null
    done
done
browser --print-to-pdf="$out/report.pdf" "file://$out/report.html" 2> /dev/null
[ -s "$out/report.pdf" ] || failed=1
echo "screenshots are in $out"
exit $failed
