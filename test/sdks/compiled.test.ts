import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import { findEngine, findLanguageHost } from "@devid/engine";
import { afterAll, expect, it } from "vitest";
import { writtenExamples } from "../../provider/src/generate/written-examples";
import { UserShell } from "../helpers/user-shell";

// Compiles the SDKs that Pulumi generates from the package's schema.

const SCHEMA = resolve(__dirname, "../../provider/schema.json");

const shells: UserShell[] = [];
afterAll(() => shells.forEach((shell) => shell.close()));

/** A shell whose folder contains the SDK for a language, in `sdk/LANGUAGE`. */
async function withSdk(language: string, host: string): Promise<UserShell> {
  const shell = await UserShell.open({
    PATH: [dirname(host), process.env.PATH].join(delimiter),
  });
  shells.push(shell);
  await shell.ok(
    `pulumi package gen-sdk ${SCHEMA} --language ${language} --out sdk`,
  );
  return shell;
}

it(
  "the Java SDK compiles, with the examples of the reference pages",
  { tags: ["java", "go"] },
  async () => {
    const host = await findLanguageHost("java", await findEngine());
    const shell = await withSdk("java", host);
    copyFileSync(
      join(__dirname, "java-pom.xml"),
      join(shell.folder, "sdk/java/pom.xml"),
    );
    for (const [kind, { java }] of Object.entries(writtenExamples())) {
      const folder = join(
        shell.folder,
        "sdk/java/src/main/java/examples",
        kind,
      );
      mkdirSync(folder, { recursive: true });
      writeFileSync(
        join(folder, "App.java"),
        java.replace("package generated_program;", `package examples.${kind};`),
      );
    }
    await shell.ok("mvn --quiet --batch-mode compile", { in: "sdk/java" });
    const classes = await shell.ok("ls target/classes/com/pulumi/devid", {
      in: "sdk/java",
    });
    expect(classes.split("\n")).toContain("RotatingApiKey.class");
  },
);

it("the C# SDK compiles", { tags: ["dotnet"] }, async () => {
  // The language host is on PATH, because otherwise the tag skips this test.
  const shell = await withSdk("dotnet", "");
  await shell.ok("dotnet build", { in: "sdk/dotnet" });
  const built = await shell.ok("find . -name '*Devid*.dll'", {
    in: "sdk/dotnet",
  });
  expect(built).not.toBe("");
});
