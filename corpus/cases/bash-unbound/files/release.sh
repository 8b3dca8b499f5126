set -eu
echo "releasing"
echo "tag $RELEASE_TAG"
