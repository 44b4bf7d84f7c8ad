# class commented {}
class apache::mod::ssl (
  String $text = 'class written {',
) {
  file { '/etc': }
}
define apache::vhost($port) {
}
function apache::bool2on(Boolean $x) >> String {
}
