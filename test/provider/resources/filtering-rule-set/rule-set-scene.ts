import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import {
  type Host,
  type HostError,
  type Properties,
} from "../../../helpers/dynamic-host";
import { HandlerHost } from "../../../helpers/handler-host";
import { HostedResource } from "../../../helpers/hosted-resource";
import { LocalWorkspace, type Fault } from "../../../helpers/local-workspace";
import { settingsOf } from "../../settings-of";
import { rejection } from "../../../sdk/workspace";
import { openForTests } from "../../../helpers/open-for-tests";

/** A rule as a program declares it. */
export interface DeclaredRule {
  readonly name: string;
  readonly expression: string;
  readonly action: string;
  readonly status?: string;
}

/** A rule whose expression no other rule has. */
export const rule = (
  name: string,
  more: Partial<DeclaredRule> = {},
): DeclaredRule => ({
  name,
  expression: `sdk.version == "/${name}"`,
  action: "deny",
  ...more,
});

/** Rules with these names. */
export const rulesOf = (...names: string[]) => names.map((name) => rule(name));

/** The error that a call throws. */
export const failure = async (work: Promise<unknown>) =>
  (await rejection(work)) as HostError;

/**
 * A local service and a provider host for the tests of a file, and for each test
 * an environment and a rule set of its own. Default: a host in the test's own process.
 */
export function ruleSetScene(
  startHost: (settings: Record<string, string>) => Host | Promise<Host> = (
    settings,
  ) => new HandlerHost(settings),
) {
  const workspace = openForTests(new LocalWorkspace());
  let host: Host;
  let environment: string;
  let set: HostedResource;
  const newHost = async () => await startHost(settingsOf(workspace));
  const newEnvironment = async (name: string) => {
    return (await workspace.make("/environments", { name })).id;
  };
  const inForce = async () => {
    const all = await workspace.list("filtering-rules");
    return all.filter((one) => one.environment === environment);
  };
  beforeAll(async () => {
    host = await newHost();
  });
  beforeEach(async () => {
    environment = await newEnvironment("Staging");
    set = new HostedResource(host, "FilteringRuleSet");
  });
  afterEach(() => workspace.forgetFaults());
  afterAll(() => host.stop());
  return {
    get workspace() {
      return workspace;
    },
    get host() {
      return host;
    },
    get environment() {
      return environment;
    },
    get set() {
      return set;
    },
    newHost,
    newEnvironment,
    inForce,

    async namesInForce() {
      return (await inForce()).map(({ name }) => name);
    },

    up: (rules: readonly DeclaredRule[], more: Properties = {}) =>
      set.up({ environment, rules, ...more }),

    /** Overwrites the rules, as somebody else would. */
    byHand: (rules: readonly DeclaredRule[]) =>
      workspace.call("POST", "/filtering-rules/bulk", {
        environment,
        mode: "overwrite",
        rules,
      }),

    /** Adds a rule at the end, as somebody else would. */
    add: (one: DeclaredRule) =>
      workspace.call("POST", "/filtering-rules", { ...one, environment }),

    /** IDs of the rules in force, by name. */
    async idsInForce() {
      const ids = (await inForce()).map(({ name, id }) => [name, id]);
      return Object.fromEntries(ids) as Record<string, string>;
    },

    /** Changes a rule in force and keeps its ID, as somebody else would. */
    async edit(name: string, change: object) {
      const { id } = (await inForce()).find((one) => one.name === name) ?? {};
      await workspace.call("POST", `/filtering-rules/${String(id)}`, change);
    },

    /** Deletes a rule in force, as somebody else would. */
    async remove(name: string) {
      const { id } = (await inForce()).find((one) => one.name === name) ?? {};
      await workspace.call("DELETE", `/filtering-rules/${String(id)}`);
    },

    /** Causes a fault in the next overwrite. */
    bulkFault: (fault: Omit<Fault, "match">) =>
      workspace.fault({
        match: { method: "POST", path: "/management/filtering-rules/bulk" },
        times: 1,
        ...fault,
      }),

    /** Makes the service refuse to list rules from now on. */
    refuseList: (status: number) =>
      workspace.fault({
        match: { method: "GET", path: "/management/filtering-rules" },
        then: {
          status,
          body: { error: { code: "refused", message: "not for you" } },
        },
      }),

    /** The management calls of `work`, such as `GET /filtering-rules`. */
    async callsOf(work: () => Promise<unknown>): Promise<string[]> {
      const mark = await workspace.mark();
      await work();
      return workspace.callsSince(mark);
    },
  };
}
