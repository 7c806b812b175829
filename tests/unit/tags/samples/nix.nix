# Package. mkFake = x: x;
{ pkgs ? import <nixpkgs> { }, lib, stdenv, ... }@args:
let
  version = "1.0";
  mkApp = { name, src }: buildApp { inherit name src version; };
  double = x: x * 2;
  add = a: b: a + b;
  inherit (lib) mkOption types;
  inherit version;
  cfg = config.services.shop;
  "quoted name" = 1;
  /* fake = x: x; */
  script = ''
    fake2 = x: ${double 2}
  '';
in rec {
  imports = [ ./hardware.nix (modulesPath + "/x.nix") ];
  app = mkApp { name = "a"; src = ./.; };
  count = double (lib.length app.inputs);
  passthru.tests.basic = runTest app;
  options.services.shop.enable = mkEnableOption "shop";
  services.nginx = { enable = true; virtualHosts."x.org".root = webRoot; };
  overlays.default = final: prev: { tool = prev.callPackage ./tool.nix { }; };
  pick = if lib.versionOlder version "2" then oldOne else newOne { };
  sum = with lib; foldl' add 0 [ 1 2 ];
  piped = lib.pipe 3 [ double (add 1) ];
  deep = let helper = y: y; local = 2; in helper local;
  checked = assert isValid version; version;
  quux' = 1;
}
