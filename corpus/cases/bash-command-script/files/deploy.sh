set -euo pipefail
echo 'building'
buildctl build --progress plain
echo done
