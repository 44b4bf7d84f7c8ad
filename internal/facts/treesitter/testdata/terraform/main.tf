terraform {
  required_version = ">= 1.0"
}

provider "aws" {
  region = var.region
}

# The region.
variable "region" {
  type    = string
  default = "eu"
  validation {
    condition = length(var.region) > 1
  }
}

locals {
  # A name.
  name = "${var.region}-a"
  tags = { Name = local.name, "x" = 1, (local.name) = 2 }
}

data "aws_ami" "ubuntu" { owners = ["1"] }

resource "aws_instance" "web" {
  count = var.n > 0 ? length(local.tags) : 0
  ami   = data.aws_ami.ubuntu[0].id
  tags  = merge(local.tags, { for k, v in var.m : k => v.x })
  dynamic "ebs" {
    for_each = var.disks
    content { size = ebs.value.size }
  }
  depends_on = [module.vpc, aws_instance.other, module.vpc["a"].subnets[*].id]
  user_data  = <<EOT
${local.name} ${path.module} var.region
EOT
  lifecycle { ignore_changes = [tags] }
}

module "vpc" {
  source   = "./modules/vpc"
  for_each = toset(["a"])
  region   = var.region
}

output "id" { value = module.vpc["a"].vpc_id }
