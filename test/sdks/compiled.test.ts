import { copyFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, expect, it } from "vitest";
import { UserShell } from "../helpers/user-shell";

// Compiles the SDKs that Pulumi generates from the package's schema, on machines with the
// official language host and the compiler of a language.

const SCHEMA = resolve(__dirname, "../../provider/schema.json");

const shells: UserShell[] = [];
afterAll(() => shells.forEach((shell) => shell.close()));

/** A shell whose folder contains the SDK for a language, in `sdk/LANGUAGE`. */
async function withSdk(language: string): Promise<UserShell> {
  // The language host is on PATH, because otherwise the tag skips the test.
  const shell = await UserShell.open({});
  shells.push(shell);
  await shell.ok(
    `pulumi package gen-sdk ${SCHEMA} --language ${language} --out sdk`,
  );
  return shell;
}

it("the Go SDK compiles", { tags: ["go"] }, async () => {
  const shell = await withSdk("go");
  await shell.ok("go vet ./...", { in: "sdk/go" });
});

it("the Java SDK compiles", { tags: ["java"] }, async () => {
  const shell = await withSdk("java");
  copyFileSync(
    join(__dirname, "java-pom.xml"),
    join(shell.folder, "sdk/java/pom.xml"),
  );
  await shell.ok("mvn --quiet --batch-mode compile", { in: "sdk/java" });
  const classes = await shell.ok("ls target/classes/com/pulumi/devid", {
    in: "sdk/java",
  });
  expect(classes.split("\n")).toContain("ApiKey.class");
});

it("the C# SDK compiles", { tags: ["dotnet"] }, async () => {
  const shell = await withSdk("dotnet");
  await shell.ok("dotnet build", { in: "sdk/dotnet" });
  const built = await shell.ok("find . -name '*Devid*.dll'", {
    in: "sdk/dotnet",
  });
  expect(built).not.toBe("");
});
