# Infrastructure of a small shop.
terraform {
  required_version = ">= 1.5"
  required_providers {
    aws = {
      source = "hashicorp/aws"
    }
  }
  backend "s3" {
    bucket = "state"
  }
}

provider "aws" {
  alias  = "west"
  region = var.region
}

variable "region" {
  type        = string
  default     = "eu-west-1"
  description = "resource \"fake\" \"x\" {}"
}

locals {
  name   = "${var.region}-shop"
  common = merge(local.tags, { owner = "me" })
}

data "aws_ami" "ubuntu" {
  most_recent = true
  filter {
    name   = "name"
    values = ["ubuntu-*"]
  }
}

resource "aws_s3_bucket" "logs" {
  bucket   = local.name
  provider = aws.west
  for_each = toset(var.buckets)

  dynamic "rule" {
    for_each = var.rules
    content {
      id = rule.value
    }
  }
  lifecycle {
    prevent_destroy = true
  }
}

resource "aws_instance" "web" {
  ami        = data.aws_ami.ubuntu.id
  subnet_id  = module.network.subnet_ids[0]
  count      = length(aws_s3_bucket.logs.arn) > 0 ? 1 : 0
  user_data  = <<-EOT
    resource "not" "code" {}
    ${templatefile("init.sh", { bucket = aws_s3_bucket.logs.id })}
  EOT
  depends_on = [aws_s3_bucket.logs, module.network]
}

module "network" {
  source = "./network"
  cidr   = cidrsubnet(var.cidr, 8, 1)
}

output "url" {
  value = "http://${aws_instance.web.public_ip}"
}

moved {
  from = aws_instance.old
  to   = aws_instance.web
}

check "health" {
  assert {
    condition     = can(data.http.check)
    error_message = "no"
  }
}
