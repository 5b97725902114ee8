import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll } from "vitest";
import { EngineStack } from "../helpers/engine-stack";
import { LocalWorkspace } from "../helpers/local-workspace";
import { openForTests } from "../helpers/open-for-tests";
import { ROOT } from "../helpers/repository";

export const PACK = join(ROOT, "policy");

/** A local service, and stacks whose previews run with a policy pack. */
export function policyScene() {
  const workspace = openForTests(new LocalWorkspace());
  /** The stack of one group of tests. */
  let stack: EngineStack;
  const stacks: EngineStack[] = [];

  afterAll(() => {
    for (const one of stacks) one.close();
  });

  /** Runs a preview with a pack. Returns whether it passed, and its output. */
  async function previewWith(pack: string, ...more: string[]) {
    const { code, text } = await stack.operate(
      "preview",
      ...["--policy-pack", pack, ...more],
    );
    return { passes: code === 0, text };
  }

  return {
    get workspace() {
      return workspace;
    },
    get stack() {
      return stack;
    },
    settings: () => workspace.env,

    async open(
      settings: Record<string, string>,
      program?: string,
    ): Promise<void> {
      stack = await EngineStack.open(settings, program);
      stacks.push(stack);
    },

    previewWith,

    /** Runs a preview with our pack and a configuration. */
    preview(config: object = {}) {
      const file = join(stack.workFolder, "policies.json");
      writeFileSync(file, JSON.stringify(config));
      return previewWith(PACK, "--policy-pack-config", file);
    },
  };
}

/** The Policies section of a preview, without its margin. */
export const policiesIn = (text: string) =>
  /^Policies:$([^]*?)^\S/m.exec(text)?.[1]?.replace(/^ +/gm, "") ?? "";

/** The policies with findings, each with its level. */
export const found = (text: string) =>
  [...policiesIn(text).matchAll(/^- \[(\w+)\] +([\w-]+)/gm)].map(
    ([, level, name]) => `${level} ${name}`,
  );
