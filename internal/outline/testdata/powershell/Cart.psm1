# function Commented {}
<#
function In-Block {}
#>
function Get-Cart {
    [CmdletBinding()]
    param([string] $Name)
    $text = @"
function In-Text {
"@
    "a ` quoted "" function Written {"
}

Function global:New-Cart ([int] $Limit) { }

filter Select-Item { $_ }

enum Kind { Food; Toy }

class Cart : Base {
    [string] $Name
    Cart([string] $name) { $this.Name = $name }
    [int] Total([int] $rate) { return 1 }
    static [Cart] Open() { return [Cart]::new('x') }
}
