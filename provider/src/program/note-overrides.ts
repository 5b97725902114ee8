import { AsyncResource } from "node:async_hooks";
import * as pulumi from "@pulumi/pulumi";
import { knownValue } from "./pulumi-members";
import {
  overridesInText,
  unusedOverrides,
} from "../definition/unused-overrides";
import { hasEngine } from "./engine";

/** A setting `overrides` of the program, and how messages call it. */
interface GivenOverrides {
  readonly setting: string;
  readonly value: unknown;
}

/** What the first program of this process has declared so far. */
interface Program {
  readonly monitor: unknown;
  readonly declared: Map<string, Set<string>>;
  readonly given: GivenOverrides[];
}

let program: Program | undefined;

/**
 * Remembers a resource of the program. When the program ends, a warning names each
 * resource of a setting `overrides` that the program has not declared.
 */
export function noteResource(kind: string, name: string): void {
  const { declared } = noted() ?? {};
  if (!declared) return;
  const names = declared.get(kind) ?? new Set();
  declared.set(kind, names.add(name));
}

/** Remembers the argument `overrides` of a provider. */
export function noteOverrides(provider: string, value: unknown): void {
  if (value === undefined) return;
  const setting = `overrides of the provider ${JSON.stringify(provider)}`;
  noted()?.given.push({ setting, value });
}

/**
 * The program of this process, if an engine runs it. Only a program that `pulumi` starts
 * has a process of its own: in a later inline program of the Automation API, nothing is
 * remembered.
 */
function noted(): Program | undefined {
  if (!hasEngine()) return undefined;
  const monitor = pulumi.runtime.getMonitor();
  if (!program) {
    const value = overridesInText(new pulumi.Config("devid").get("overrides"));
    const given = [{ setting: "stack config devid:overrides", value }];
    const started = {
      monitor,
      declared: new Map<string, Set<string>>(),
      given,
    };
    program = started;
    // Pulumi ends a program only after the work of these handlers. A program that fails
    // has none.
    process.once(
      "beforeExit",
      AsyncResource.bind(() => void warn(started)),
    );
  }
  return program.monitor === monitor ? program : undefined;
}

async function warn({ declared, given }: Program): Promise<void> {
  for (const { setting, value } of given) {
    const known = await knownValue(value);
    for (const message of unusedOverrides(setting, known, declared))
      await pulumi.log.warn(message);
  }
}
