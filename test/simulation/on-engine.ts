import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { EngineStack } from "../helpers/engine-stack";
import { LocalWorkspace } from "../helpers/local-workspace";
import {
  revealed,
  withoutUnknown,
  type Properties,
} from "./engine/property-value";
import type { ProviderCall } from "./forms";
import type { Kind } from "./program";
import type { Simulator } from "./simulator";
import { isCommand, type Story, type StoryResult } from "./story";
import { COLLECTIONS } from "./kinds";
import type { Flags, Operation } from "./world";
import { WebhookReceiver } from "../helpers/webhook-receiver";

/** A call of a provider without values that differ from run to run: IDs, times, tokens. */
interface ComparableCall {
  readonly urn: string;
  readonly text: string;
}

/** A command, and the calls that it made. */
interface ComparedCommand {
  readonly title: string;
  readonly isOk: boolean;
  readonly calls: readonly ComparableCall[];
  /** The output of the engine. Absent for the model. */
  readonly printed?: string;
}

const COMPARED = ["check", "diff", "create", "read", "update", "delete"];

/**
 * Plays a story in the simulation and on the engine, and expects the same calls of the
 * provider from both, command by command.
 */
export async function expectEngineAgrees(
  simulator: Simulator,
  story: Story,
): Promise<void> {
  // This test compares what the commands do, and ignores violations.
  const result = await simulator.play(story, { continuesAfterViolation: true });
  const model = onModel(story, result);
  const engine = await onEngine(story, result);
  const failures = engine
    .filter(({ isOk }, at) => isOk !== model[at]?.isOk)
    .map(({ title, printed }) => `\n${title} on the engine: ${printed}`);
  const shown = result.text + failures.join("");
  expect(byResource(model), shown).toEqual(byResource(engine));
}

/**
 * The calls of each command, grouped by resource. Calls of different resources run in
 * parallel and have no order.
 */
const byResource = (commands: readonly ComparedCommand[]) =>
  commands.map(({ title, isOk, calls }, at) => {
    const urns = [...new Set(calls.map(({ urn }) => urn))].sort();
    return {
      command: `${at}: ${title}`,
      isOk,
      calls: urns.flatMap((urn) =>
        calls
          .filter((call) => call.urn === urn)
          .map(({ text }) => `${urn} ${text}`),
      ),
    };
  });

/** The commands of a story as the model ran them. */
function onModel(story: Story, { outcomes }: StoryResult): ComparedCommand[] {
  return outcomes
    .slice(0, commandsOf(story).length)
    .map(({ isOk, calls, operation, flags }) => ({
      title: titleOf(operation, flags),
      isOk,
      calls: calls.map((call) => comparable(call, operation === "preview")),
    }));
}

/** Runs a story's commands on the real engine, with the programs that the model had. */
async function onEngine(
  story: Story,
  { outcomes }: StoryResult,
): Promise<ComparedCommand[]> {
  const workspace = await LocalWorkspace.start();
  const receiver = await WebhookReceiver.start();
  const stack = await EngineStack.open(
    {
      DEVID_ENDPOINT: workspace.url,
      DEVID_MANAGEMENT_KEY: workspace.service.workspaces.us.managementKey,
    },
    join(__dirname, "engine-program"),
  );
  try {
    stack.addPlugin();
    const log = join(stack.workFolder, "calls.log");
    stack.set({ PULUMI_DEBUG_GRPC: log });
    const ids = new Map([
      ["receiver", receiver.url],
      ["second receiver", `${receiver.url}/2`],
    ]);
    const kinds = new Map<string, Kind>();
    const commands: ComparedCommand[] = [];
    for (const step of story.steps)
      switch (step.do) {
        case "make by hand": {
          const made = await workspace.make(
            `/${COLLECTIONS[step.kind]}`,
            withIds(step.body, ids),
          );
          ids.set(step.label, made.id);
          kinds.set(step.label, step.kind);
          break;
        }
        case "edit by hand":
        case "delete by hand": {
          const found = stack
            .resources()
            .find(({ urn }) => urn.endsWith(`::${step.object}`));
          const kind =
            kinds.get(step.object) ??
            (found?.type.split(":").at(-1) as Kind | undefined);
          const collection = kind && COLLECTIONS[kind];
          if (!collection) break;
          const path = `/${collection}/${ids.get(step.object) ?? found?.id}`;
          const call =
            step.do === "delete by hand"
              ? workspace.call("DELETE", path)
              : workspace.call("PATCH", path, step.body);
          await call.catch(() => undefined);
          break;
        }
        case "up":
        case "preview":
        case "refresh":
        case "destroy": {
          const model = outcomes[commands.length];
          if (!model) throw new Error("The model ran fewer commands.");
          writeFileSync(
            join(stack.workFolder, "program.json"),
            JSON.stringify(withIds(model.program, ids)),
          );
          rmSync(log, { force: true });
          const urns = (names: readonly string[]) =>
            names
              .map((name) => model.urnOf(name))
              .filter(Boolean)
              .map((urn) =>
                urn.replace("urn:pulumi:dev::", "urn:pulumi:test::"),
              );
          const { code, said } = await stack.operate(
            step.do,
            ...(step.do === "preview" ? [] : ["--yes", "--skip-preview"]),
            ...flagsOf(step.flags, urns),
          );
          commands.push({
            title: titleOf(step.do, step.flags ?? {}),
            isOk: code === 0,
            calls: callsIn(log),
            printed: said,
          });
          break;
        }
        default:
      }
    return commands;
  } finally {
    stack.close();
    receiver.close();
    await workspace.close();
  }
}

/** Flags as the command line has them. `shown` says what stands for names of resources. */
function flagsOf(
  flags: Flags = {},
  shown: (names: readonly string[]) => readonly string[] = (names) => names,
): string[] {
  return [
    ...shown(flags.target ?? []).flatMap((one) => ["--target", one]),
    ...shown(flags.exclude ?? []).flatMap((one) => ["--exclude", one]),
    ...shown(flags.replace ?? []).flatMap((one) => ["--replace", one]),
    ...(flags.targetDependents ? ["--target-dependents"] : []),
    ...(flags.refresh ? ["--refresh"] : []),
    ...(flags.runProgram ? ["--run-program"] : []),
    ...(flags.continueOnError ? ["--continue-on-error"] : []),
  ];
}

const commandsOf = ({ steps }: Story) => steps.filter(isCommand);

const titleOf = (operation: Operation, flags: Flags) =>
  `${operation} ${flagsOf(flags).join(" ")}`;

function withIds<T>(declared: T, ids: ReadonlyMap<string, string>): T {
  const text = JSON.stringify(declared, (_, value: unknown) =>
    typeof value === "object" && value !== null && "object" in value
      ? ids.get(String(value.object))
      : value,
  );
  return JSON.parse(text) as T;
}

/** The calls of resource providers in the engine's debug log. */
function callsIn(log: string): ComparableCall[] {
  if (!existsSync(log)) return [];
  const lines = readFileSync(log, "utf8").trim().split("\n");
  return lines.flatMap((line) => {
    const {
      method = "",
      request,
      progress,
    } = JSON.parse(line) as {
      readonly method?: string;
      readonly request?: Properties;
      readonly progress?: string;
    };
    const name = method.split("/").at(-1)?.toLowerCase() ?? "";
    const isOurs =
      method.startsWith("/pulumirpc.ResourceProvider/") &&
      COMPARED.includes(name) &&
      String(request?.urn).includes("devid:");
    if (!isOurs || progress === "request_started") return [];
    return [canonical(name, request ?? {})];
  });
}

/** A call of the model in the form of the log. */
function comparable(
  { method, urn, request }: ProviderCall,
  isPreview: boolean,
): ComparableCall {
  const given = request as Properties & {
    readonly state?: { readonly outputs: Properties };
  };
  const isPlugin = !urn.includes("pulumi-nodejs:dynamic");
  const sent = (value: unknown, keepsUnknown = isPreview) => {
    const plain = isPlugin ? value : revealed(value);
    return keepsUnknown ? plain : withoutUnknown(plain);
  };
  switch (method) {
    case "check":
      return canonical(method, {
        urn,
        olds: sent(given.olds ?? {}),
        news: sent(given.news),
      });
    case "diff":
      return canonical(method, {
        urn,
        olds: sent(given.oldOutputs),
        news: sent(given.news, given.isPreview === true),
        ignoreChanges: given.ignoreChanges,
      });
    case "create":
      return canonical(method, { urn, properties: sent(given.inputs) });
    case "read":
      return canonical(method, {
        urn,
        properties: sent(given.state?.outputs ?? {}, false),
      });
    case "update":
      return canonical(method, {
        urn,
        olds: sent(given.oldOutputs, false),
        news: sent(given.news),
        ignoreChanges: given.ignoreChanges,
      });
    default:
      return canonical(method, { urn, properties: sent(given.outputs, false) });
  }
}

const SHOWN_ONCE = /^(token|signingKey|previousToken|nextToken|tokenBefore)$/;

/** A request as text, without values that differ from run to run. */
function canonical(method: string, request: Properties): ComparableCall {
  const { urn, olds, news, properties, ignoreChanges } = request;
  const compared = { olds, news, properties };
  const plain = (value: unknown, key = ""): unknown => {
    if (SHOWN_ONCE.test(key)) return "(token)";
    if (typeof value === "string") return withoutChance(value);
    if (Array.isArray(value)) return value.map((one) => plain(one));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        // The classes of the dynamic resources add their URN, which the model does not.
        .filter(([name, member]) => member !== undefined && name !== "__urn")
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, member]) => [name, plain(member, name)]),
    );
  };
  const ignored = Array.isArray(ignoreChanges) ? ignoreChanges : [];
  const short = String(urn).split("::").slice(2).join("::");
  return {
    urn: short,
    text: `${method} ${JSON.stringify(plain(compared))}${ignored.length > 0 ? ` without ${ignored.join(", ")}` : ""}`,
  };
}

const withoutChance = (text: string) =>
  text
    .replace(/\b(tok|wh|ae|ek|tr)_[A-Za-z0-9]+/g, "$1_")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "(time)")
    .replace(/127\.0\.0\.1:\d+\/hook/g, "(receiver)")
    .replace(
      /[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[0-9a-f-]{17}/g,
      "(claim)",
    );
