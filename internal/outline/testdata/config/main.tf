# resource "not" "this" {}
variable "region" {
  default = "eu"
}
resource "aws_s3_bucket" "logs" {
  policy = <<-EOT
resource "fake" "fake" {
  EOT
  tags {
  }
}
locals {
  a = 1
}
