import { afterAll, beforeAll, beforeEach } from "vitest";
import type { ProviderHost } from "../../../helpers/provider-host";
import type { HostError } from "../../../helpers/protocol-provider";
import type { Properties } from "../../../simulation/engine/property-value";
import { HostedResource } from "../../../helpers/hosted-resource";
import type { Fault } from "../../../helpers/local-workspace";
import { hostForTests } from "../../host-for-tests";
import { settingsOf } from "../../settings-of";
import { rejection } from "../../../sdk/workspace";

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
  startHost?: (settings: Record<string, string>) => Promise<ProviderHost>,
) {
  const { workspace, host: ownHost } = hostForTests();
  let host: ProviderHost = ownHost;
  let environment: string;
  let set: HostedResource;
  const newEnvironment = async (name: string) =>
    (await workspace.make("/environments", { name })).id;
  const inForce = async () => {
    const all = await workspace.list("filtering-rules");
    return all.filter((one) => one.environment === environment);
  };
  const idsInForce = async () =>
    Object.fromEntries(
      (await inForce()).map(({ name, id }) => [name, id]),
    ) as Record<string, string>;
  const pathOf = async (name: string) =>
    `/filtering-rules/${(await idsInForce())[name]}`;
  if (startHost)
    beforeAll(async () => {
      host = await startHost(settingsOf(workspace));
    });
  beforeEach(async () => {
    environment = await newEnvironment("Staging");
    set = new HostedResource(host, "FilteringRuleSet");
  });
  afterAll(() => host.stop());
  return {
    workspace,
    get host() {
      return host;
    },
    get environment() {
      return environment;
    },
    get set() {
      return set;
    },
    newEnvironment,
    inForce,

    async namesInForce() {
      return (await inForce()).map(({ name }) => name);
    },

    up: (rules: readonly DeclaredRule[], more: Properties = {}) =>
      set.up({ environment, rules, ...more }),

    /** Overwrites the rules, as somebody else would. */
    byHand: (rules: readonly DeclaredRule[]) =>
      workspace.enforce(rules, environment),

    /** Adds a rule at the end, as somebody else would. */
    add: (one: DeclaredRule) =>
      workspace.call("POST", "/filtering-rules", { ...one, environment }),

    /** IDs of the rules in force, by name. */
    idsInForce,

    /** Changes a rule in force and keeps its ID, as somebody else would. */
    edit: async (name: string, change: object) =>
      workspace.call("POST", await pathOf(name), change),

    /** Deletes a rule in force, as somebody else would. */
    remove: async (name: string) =>
      workspace.call("DELETE", await pathOf(name)),

    /** Causes a fault in the next overwrite. */
    bulkFault: ({ then, ...more }: Omit<Fault, "match">) =>
      workspace.faultOnce("POST /filtering-rules/bulk", then, more),

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
