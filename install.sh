#!/bin/sh
# Installs a program of this release: the server refrakt-mcp, or refrakt-ralph.
#
#   curl -fsSL https://github.com/refrakt-md/mcp/releases/latest/download/install.sh | sh
#   curl -fsSL https://github.com/refrakt-md/mcp/releases/latest/download/install.sh | sh -s -- refrakt-ralph
#
# --to <folder>   where to (~/.local/bin)
# --from <URL>    from where, such as a mirror of the release's files
# --force         replaces another file of that name

set -eu

# The release replaces this by its tag.
release=latest

fail() {
  printf 'install.sh: %s\n' "$1" >&2
  [ -z "${2:-}" ] || printf '%s\n' "$2" >&2
  exit 1
}

# The platform as the names of binaries have it.
platform() {
  cpu=$(uname -m)
  case $cpu in
    x86_64 | amd64) cpu=x86_64 ;;
    aarch64 | arm64) cpu=aarch64 ;;
    *) cpu= ;;
  esac
  case $(uname -s) in
    Linux)
      # Binaries need glibc, which Alpine does not have.
      if ls /lib/ld-musl-* >/dev/null 2>&1 && ! ls /lib*/ld-linux-* >/dev/null 2>&1; then cpu=; fi
      system=unknown-linux-gnu
      ;;
    Darwin)
      # A shell under Rosetta says x86_64.
      if [ "$(sysctl -n sysctl.proc_translated 2>/dev/null)" = 1 ]; then cpu=aarch64; fi
      system=apple-darwin
      ;;
    *) cpu= ;;
  esac
  [ -n "$cpu" ] || fail "No binary for $(uname -s) on $(uname -m)" \
    "There are binaries for Linux with glibc and macOS, on x86_64 and aarch64, and install.ps1 for \
Windows. Elsewhere, run the server with Deno or npx: https://github.com/refrakt-md/mcp#start"
  printf '%s-%s' "$cpu" "$system"
}

# Downloads a file of the release.
download() {
  if command -v curl >/dev/null; then
    case $from in
      https:*) curl -fsSL --proto '=https' -o "$2" "$from/$1" ;;
      *) curl -fsSL -o "$2" "$from/$1" ;;
    esac
  elif command -v wget >/dev/null; then
    wget -q -O "$2" "$from/$1"
  else
    fail "Neither curl nor wget is installed" "Install one of them."
  fi || fail "Could not download $from/$1" \
    "Check the network, a proxy (https_proxy) and that the release exists: \
https://github.com/refrakt-md/mcp/releases"
}

checksum() {
  $sum <"$1" | cut -d ' ' -f 1
}

main() {
  program=refrakt-mcp
  to=${HOME:-}/.local/bin
  force=
  if [ "$release" = latest ]; then
    from=https://github.com/refrakt-md/mcp/releases/latest/download
  else
    from=https://github.com/refrakt-md/mcp/releases/download/$release
  fi
  while [ $# -gt 0 ]; do
    case $1 in
      refrakt-mcp | refrakt-ralph) program=$1 ;;
      --force) force=yes ;;
      --to | --from)
        [ $# -gt 1 ] || fail "$1 needs a value"
        if [ "$1" = --to ]; then to=$2; else from=${2%/}; fi
        shift
        ;;
      *) fail "Unknown argument: $1" \
        "The arguments are refrakt-mcp or refrakt-ralph, --to <folder>, --from <URL>, --force." ;;
    esac
    shift
  done

  if command -v sha256sum >/dev/null; then
    sum=sha256sum
  elif command -v shasum >/dev/null; then
    sum="shasum -a 256"
  else
    fail "Neither sha256sum nor shasum is installed" "Install one of them to check the download."
  fi
  name=$program-$(platform)
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  trap 'exit 1' HUP INT TERM
  download SHA256SUMS "$work/SHA256SUMS"
  wanted=$(sed -n "s/^\([0-9a-f]\{64\}\) [ *]$name\$/\1/p" "$work/SHA256SUMS")
  [ -n "$wanted" ] || fail "SHA256SUMS has no checksum of $name" \
    "Nothing was installed: this release has no such file, or is not whole."
  mkdir -p "$to" 2>/dev/null && [ -w "$to" ] || fail "No permission to write in $to" \
    "Choose a folder of yours: --to <folder>"
  to=$(cd "$to" && pwd)
  target=$to/$program
  if [ -f "$target" ] && [ "$(checksum "$target")" = "$wanted" ]; then
    printf '%s is already installed.\n' "$target"
  else
    [ ! -d "$target" ] || fail "$target is a folder" "Choose another folder: --to <folder>"
    [ -n "$force" ] || [ ! -e "$target" ] || fail \
      "$target exists, and is another version or file" "To replace it, add --force."
    printf 'Downloading %s\n' "$from/$name"
    download "$name" "$work/$name"
    [ "$(checksum "$work/$name")" = "$wanted" ] || fail "The checksum of $name is wrong" \
      "Nothing was installed. Try again; if it stays so, report it: \
https://github.com/refrakt-md/mcp/security"
    chmod 755 "$work/$name"
    # In the folder itself, a move replaces a program that is running.
    cp "$work/$name" "$target.$$" && mv -f "$target.$$" "$target" || {
      rm -f "$target.$$"
      fail "Could not write $target" "Check the folder's permissions and space on the disk."
    }
    printf 'Installed %s.\n' "$target"
  fi
  case :$PATH: in
    *":$to:"*) ;;
    *) printf 'To run it in a shell by its name, add %s to the PATH.\n' "$to" ;;
  esac
  snippet
}

# Prints the entry for a client's configuration.
snippet() {
  case $program in
    refrakt-ralph) server=ralph ;;
    *) server=refrakt ;;
  esac
  path=$(printf '%s' "$target" | sed 's/[\\"]/\\&/g')
  cat <<JSON

Put this into your project's .mcp.json (Claude Code) or .cursor/mcp.json (Cursor); for other clients
see https://github.com/refrakt-md/mcp/blob/main/docs/clients.md

{
  "mcpServers": {
    "$server": { "command": "$path" }
  }
}
JSON
}

# At the end, so that a download that breaks off runs nothing.
main "$@"
