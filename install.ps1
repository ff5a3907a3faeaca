# Installs a program of this release on Windows: the server refrakt-mcp, or refrakt-ralph.
#
#   irm https://github.com/refrakt-md/mcp/releases/latest/download/install.ps1 | iex
#   & ([scriptblock]::Create((irm https://github.com/refrakt-md/mcp/releases/latest/download/install.ps1))) refrakt-ralph
#
# -To <folder>   where to (%LOCALAPPDATA%\Programs\refrakt)
# -From <URL>    from where, such as a mirror of the release's files
# -Force         replaces another file of that name

param(
  [string]$Program = "refrakt-mcp",
  [string]$To = "",
  [string]$From = "",
  [switch]$Force
)

# In a function, so that a failure ends it and not the shell, which keeps its preferences.
function Install-Refrakt([string]$Program, [string]$To, [string]$From, [bool]$Force) {
  $ErrorActionPreference = "Stop"
  # Its progress bar slows down downloads in Windows PowerShell.
  $ProgressPreference = "SilentlyContinue"
  # The release replaces this by its tag.
  $release = "latest"

  if ($Program -notin @("refrakt-mcp", "refrakt-ralph")) {
    throw "Unknown program: $Program. It is refrakt-mcp or refrakt-ralph."
  }
  # Windows runs programs for x86_64 on ARM64, too.
  $cpu = $env:PROCESSOR_ARCHITEW6432
  if (-not $cpu) { $cpu = $env:PROCESSOR_ARCHITECTURE }
  if ($env:OS -ne "Windows_NT" -or $cpu -notin @("AMD64", "ARM64")) {
    throw "No binary for this machine ($env:OS $cpu). There is one for Windows on x86_64, and install.sh for Linux and macOS. Elsewhere, run the server with Deno or npx: https://github.com/refrakt-md/mcp#start"
  }
  $name = "$Program-x86_64-pc-windows-msvc.exe"
  if ($To -eq "") { $To = Join-Path $env:LOCALAPPDATA "Programs\refrakt" }
  if ($From -eq "") {
    $releases = "https://github.com/refrakt-md/mcp/releases"
    $From = "$releases/latest/download"
    if ($release -ne "latest") { $From = "$releases/download/$release" }
  }
  $From = $From.TrimEnd("/")

  # Windows PowerShell 5.1 may begin with older versions of TLS. 0 stands for those of the system.
  $tls = [Net.ServicePointManager]::SecurityProtocol
  if ([int]$tls -ne 0) {
    [Net.ServicePointManager]::SecurityProtocol = $tls -bor [Net.SecurityProtocolType]::Tls12
  }
  $work = Join-Path ([IO.Path]::GetTempPath()) ([IO.Path]::GetRandomFileName())
  New-Item -ItemType Directory -Path $work | Out-Null
  try {
    $sums = Join-Path $work "SHA256SUMS"
    Get-ReleaseFile $From "SHA256SUMS" $sums
    $line = Get-Content -LiteralPath $sums |
      Where-Object { $_ -match ("^[0-9a-f]{64} [ *]" + [regex]::Escape($name) + "$") } |
      Select-Object -First 1
    if (-not $line) {
      throw "SHA256SUMS has no checksum of $name. Nothing was installed: this release has no such file, or is not whole."
    }
    $wanted = $line.Substring(0, 64)

    try {
      New-Item -ItemType Directory -Force -Path $To | Out-Null
    } catch {
      throw "Could not create ${To}: $($_.Exception.Message) Choose a folder of yours: -To <folder>"
    }
    $To = (Resolve-Path -LiteralPath $To).ProviderPath
    $target = Join-Path $To "$Program.exe"
    if ((Test-Path -LiteralPath $target -PathType Leaf) -and (Test-Checksum $target $wanted)) {
      Write-Host "$target is already installed."
    } else {
      if (Test-Path -LiteralPath $target -PathType Container) {
        throw "$target is a folder. Choose another folder: -To <folder>"
      }
      if ((Test-Path -LiteralPath $target) -and -not $Force) {
        throw "$target exists, and is another version or file. To replace it, add -Force."
      }
      Write-Host "Downloading $From/$name"
      $file = Join-Path $work $name
      Get-ReleaseFile $From $name $file
      if (-not (Test-Checksum $file $wanted)) {
        throw "The checksum of $name is wrong. Nothing was installed. Try again; if it stays so, report it: https://github.com/refrakt-md/mcp/security"
      }
      try {
        Copy-Item -LiteralPath $file -Destination $target -Force
      } catch {
        throw "Could not write ${target}: $($_.Exception.Message) If the program is running, stop it; else check the folder's permissions."
      }
      Write-Host "Installed $target."
    }
  } finally {
    Remove-Item -LiteralPath $work -Recurse -Force -ErrorAction SilentlyContinue
  }

  if (($env:Path -split ";") -notcontains $To) {
    Write-Host "To run it in a shell by its name, add $To to the PATH."
  }
  $server = if ($Program -eq "refrakt-ralph") { "ralph" } else { "refrakt" }
  $path = ConvertTo-Json $target
  Write-Host @"

Put this into your project's .mcp.json (Claude Code) or .cursor/mcp.json (Cursor); for other clients
see https://github.com/refrakt-md/mcp/blob/main/docs/clients.md

{
  "mcpServers": {
    "$server": { "command": $path }
  }
}
"@
}

function Get-ReleaseFile([string]$From, [string]$Name, [string]$Path) {
  try {
    Invoke-WebRequest -UseBasicParsing -Uri "$From/$Name" -OutFile $Path
  } catch {
    throw "Could not download $From/${Name}: $($_.Exception.Message) Check the network, a proxy and that the release exists: https://github.com/refrakt-md/mcp/releases"
  }
}

function Test-Checksum([string]$Path, [string]$Wanted) {
  (Get-FileHash -LiteralPath $Path -Algorithm SHA256).Hash -eq $Wanted
}

Install-Refrakt $Program $To $From $Force.IsPresent
