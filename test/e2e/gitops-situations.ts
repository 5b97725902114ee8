import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Form } from "../helpers/program-form";
import { deploymentSituations } from "./gitops-deployments";
import { reviewSituations } from "./gitops-reviews";
import {
  DEPENDS_ON_FORM,
  gitops,
  openRepository,
  situations,
  startStory,
} from "./gitops-story";

/**
 * Runs the situations of docs/review.md as tests, in the same order, with a program in one form.
 * Each command comes from the files of examples/gitops. The situations are one story: the main
 * branch, the rules in force and the stack are as the previous situation left them. With the
 * plugin, only the situations that depend on the form run.
 */
export function playSituations(form: Form): void {
  startStory(form);

  beforeAll(async () => {
    await openRepository();
    expect(await gitops.deploy()).toEqual({ create: 2 });
    // The keys that every local service has at its start.
    await gitops.allow(
      (await gitops.workspace.list("api-keys")).map(({ id }) => String(id)),
    );
  });

  afterAll(() => gitops?.close());

  reviewSituations();
  deploymentSituations();

  it("docs/review.md has these situations", () => {
    const docs = readFileSync(
      resolve(__dirname, "../../docs/review.md"),
      "utf8",
    );
    const [, section = ""] = docs.split("\n## Situations\n");
    const rows = section
      .split("\n## ")[0]
      ?.split("\n")
      .filter((line) => /^\| (?!-)/.test(line))
      .map((line) => line.split("|")[1]?.trim());
    expect(rows?.slice(1)).toEqual(situations);
    expect(situations).toEqual(expect.arrayContaining([...DEPENDS_ON_FORM]));
  });
}
