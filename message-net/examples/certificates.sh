#!/bin/sh
# Makes the certificates of a world: those of an authority and of each node, by openssl.
#
#   examples/certificates.sh DIRECTORY NODE[=HOST,HOST…]…
#   examples/certificates.sh certificates hub=hub.example,10.0.0.5 zone-1 zone-2
#
# NODE is the name of a node, and the common name of its certificate. The HOSTs are what others write in
# their endpoints to connect to it: names or addresses; localhost and 127.0.0.1 if there are none.
# Afterwards the directory has authority.pem, which every process needs, authority.key, which none needs
# and which is to be kept safe, and NODE.pem and NODE.key for each node. An authority that is there
# already signs the new ones.
set -eu

if [ $# -lt 2 ]; then
    sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
directory=$1
shift
umask 077
mkdir -p "$directory"
cd "$directory"

new_key() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1" 2>/dev/null; }

if [ ! -e authority.key ]; then
    new_key authority.key
    openssl req -x509 -new -key authority.key -sha256 -days 3650 -out authority.pem \
        -subj "/CN=authority of a world $(openssl rand -hex 4)" \
        -addext "basicConstraints=critical,CA:TRUE" -addext "keyUsage=critical,keyCertSign"
fi

for node in "$@"; do
    hosts=localhost,127.0.0.1
    case $node in
    *=*) hosts=${node#*=} node=${node%%=*} ;;
    esac
    names=
    for host in $(echo "$hosts" | tr , ' '); do
        case $host in
        *:*) names="$names,IP:$host" ;;
        *[!0-9.]*) names="$names,DNS:$host" ;;
        *) names="$names,IP:$host" ;;
        esac
    done
    new_key "$node.key"
    {
        echo "basicConstraints=critical,CA:FALSE"
        echo "keyUsage=critical,digitalSignature"
        echo "extendedKeyUsage=serverAuth,clientAuth"
        echo "subjectAltName=${names#,}"
    } >"$node.extensions"
    openssl req -new -key "$node.key" -subj "/CN=$node" -out "$node.request"
    openssl x509 -req -in "$node.request" -sha256 -days 825 -extfile "$node.extensions" \
        -CA authority.pem -CAkey authority.key -CAcreateserial -out "$node.pem" 2>/dev/null
    rm "$node.request" "$node.extensions"
done
