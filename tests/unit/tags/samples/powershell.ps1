#requires -Version 5
using namespace System.Collections
using module .\Tools.psm1
param([string]$Target = "prod")

<# function Fake {} #>
enum Level { Low = 1; High }

enum Colour {
    Red
    Green
}

class Runner : BaseRunner, IDisposable {
    [int]$Count = 0
    static [string] $Name
    hidden [Level]$Level
    Runner([int]$n) { $this.Count = $n }
    [void] Start([string]$name) { Write-Log $name; $this.Step(); [Helper]::Run($name) }
    static [Runner] Make() { return [Runner]::new(1) }
    Dispose() { }
}

# function Fake2 {}
function Get-Plan {
    [CmdletBinding(SupportsShouldProcess)]
    [OutputType([Plan])]
    param(
        [Parameter(Mandatory)][string]$Path,
        [ValidateSet("a", "b")]$Kind
    )
    begin { Open-Log }
    process { Import-Plan -Path $Path | Select-Step | Where-Object { Test-Step $_ } }
    end { $local = 1 }
}

function Invoke-All([string[]]$Items) {
    foreach ($i in $Items) { Get-Plan -Path $i }
    & Start-Thing -Now
    . .\lib.ps1
    $x = New-Object Some.Thing
    if (Test-Path $x) { throw [MyError]::new("function Fake3 {}") }
    @"
function Fake4 {}
"@
}
function script:Get-Scoped { Write-Output $Limit }
filter Only-Big { if ($_ -gt 10) { $_ } }
workflow Run-Flow { Send-Thing }
configuration Web { Node localhost { File f { Ensure = "Present" } } }
$Limit = 10
$script:Cache = @{}
$block = { param($a) Use-It $a }
Set-Alias -Name gp2 -Value Get-Plan
New-Alias gp3 Get-Plan
function Größe { Messen }
Invoke-All @("a")
Export-ModuleMember -Function Get-Plan
