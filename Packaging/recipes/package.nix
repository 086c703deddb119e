# Licensed under the MIT License. See LICENSE.
# Both commands for Nix, from the archives of a release:  nix-build -E 'with import <nixpkgs> {}; callPackage ./package.nix {}'
# Packaging/recipes/fill writes what is in capitals.
{ lib, stdenv, fetchurl, autoPatchelfHook }:

let
  version = "RELEASE";
  archive = command: hash: fetchurl {
    url = "HOMEPAGE/releases/download/RELEASE/${command}-RELEASE-linux-amd64.tar.gz";
    sha256 = hash;
  };
in
stdenv.mkDerivation {
  pname = "msal-swift-linux";
  inherit version;
  srcs = [
    (archive "msal" "MSAL_SUM")
    (archive "entra-emulator" "EMULATOR_SUM")
  ];
  sourceRoot = ".";
  nativeBuildInputs = [ autoPatchelfHook ];
  # The C library loads libgcc_s when a thread ends itself.
  buildInputs = [ stdenv.cc.cc.lib ];
  runtimeDependencies = [ stdenv.cc.cc.lib ];
  dontBuild = true;
  dontStrip = true;
  installPhase = ''
    runHook preInstall
    mkdir -p $out
    for command in msal entra-emulator; do cp -r $command-RELEASE-linux-amd64/. $out/; done
    runHook postInstall
  '';
  meta = {
    description = "Sign in with Microsoft Entra ID at a terminal, and its identity platform on your own machine for tests";
    homepage = "HOMEPAGE";
    license = lib.licenses.mit;
    platforms = [ "x86_64-linux" ];
    mainProgram = "msal";
  };
}
