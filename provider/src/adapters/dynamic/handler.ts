import { type ClientOptions } from "@devid/sdk";
import { harmlessText } from "@devid/sdk/errors";
import type * as pulumi from "@pulumi/pulumi";
import type {
  CheckFailure,
  ResourceDefinition,
} from "../../definition/define-resource";
import {
  ARGUMENT_PREFIX,
  NEEDS_PROGRAM,
  STACK_PREFIX,
} from "../../definition/engine-names";
import { connect, settingSources } from "../../definition/setting-sources";
import { resourceSettings } from "../../session/resource-settings";
import { loadKind } from "../../kinds";
import { Lifecycle } from "../../lifecycle/lifecycle";
import type { PropertyDiff } from "../../lifecycle/requests";
import { Session, type EngineLog } from "../../session/session";
import { watchEngine } from "../engine-watch";
import { toHostError } from "./host-error";
import {
  fromHost,
  hiddenIn,
  IGNORE_CHANGES,
  OPTIONS,
  REPLACE_ON_CHANGES,
  RESOURCE_URN,
  SECRET_INPUTS,
  textsIn,
  toHost,
  urnIn,
  type HostProperties,
} from "../../definition/host-protocol";

type Config = pulumi.dynamic.ConfigureRequest["config"];

/** The one session that all resources of a host share. */
export class HostSession {
  #config: Config | undefined;
  #session: Session | undefined;

  /**
   * `log` shows messages to the user of the engine. `transport` is for tests; default:
   * the client's own. Once the engine is gone, no further call is made.
   */
  constructor(
    private readonly log: EngineLog,
    private readonly transport: Pick<ClientOptions, "fetch"> = {},
    private readonly engine?: {
      readonly address: string | undefined;
      onGone(): void;
    },
  ) {}

  /** Keeps the configuration; the host gives every kind the same one. */
  configure(config: Config): void {
    this.#config ??= config;
  }

  /** The session, opened at its first use. @throws ConfigurationError for invalid settings */
  get current(): Session {
    return (this.#session ??= this.#open());
  }

  #open(): Session {
    const config = this.#config;
    const given = (name: string) =>
      config?.get(ARGUMENT_PREFIX + name) ?? config?.get(STACK_PREFIX + name);
    const session = new Session(
      (signal) =>
        connect(
          settingSources((key) => config?.get(key), { reading: NEEDS_PROGRAM }),
          { ...this.transport, signal },
        ),
      this.log,
      resourceSettings(
        { adopt: given("adopt"), overrides: given("overrides") },
        loadKind,
      ),
    );
    watchEngine(this.engine?.address, () => {
      session.cancel();
      this.engine?.onGone();
    });
    return session;
  }
}

/** Lets Pulumi's dynamic provider host call the lifecycle of one resource definition. */
export class Handler implements pulumi.dynamic.ResourceProvider {
  /** `load` answers the definition; it is called with the first operation. */
  constructor(
    private readonly load: () => Promise<ResourceDefinition>,
    private readonly session: HostSession,
  ) {}

  // The host calls the provider before this promise is settled, so nothing here may wait.
  // oxlint-disable-next-line typescript/require-await
  async configure(request: pulumi.dynamic.ConfigureRequest): Promise<void> {
    this.session.configure(request.config);
  }

  async check(
    olds: HostProperties,
    news: HostProperties,
  ): Promise<pulumi.dynamic.CheckResult> {
    return this.#run(news, async (lifecycle) => {
      const { inputs, failures } = await lifecycle.check({
        ...urnIn(news),
        news: fromHost(news),
        // The host passes an empty object if there are no inputs.
        ...(Object.keys(olds).length > 0 && { olds: fromHost(olds) }),
        options: {
          ignoreChanges: textsIn(news, IGNORE_CHANGES),
          replaceOnChanges: textsIn(news, REPLACE_ON_CHANGES),
        },
      });
      return {
        // The host passes the result of a check on, so that later calls have these
        // properties, too.
        inputs: {
          ...toHost(inputs),
          ...hiddenIn(news, [SECRET_INPUTS, RESOURCE_URN, ...OPTIONS]),
        },
        failures: failures.map(withoutProperty),
      };
    });
  }

  async diff(
    id: string,
    olds: HostProperties,
    news: HostProperties,
  ): Promise<pulumi.dynamic.DiffResult> {
    return this.#run(news, async (lifecycle) => {
      const { changes, replaces, properties, summary } = lifecycle.diff({
        ...urnIn(news),
        id,
        state: fromHost(olds),
        news: fromHost(news),
        ignoreChanges: textsIn(news, IGNORE_CHANGES),
      });
      if (summary)
        await this.session.current.logFor(undefined)("info", summary);
      return {
        // The plugin's states lack the provider's text, which the host needs for
        // a refresh and a delete. An update without changes adds it.
        changes: changes || !("__provider" in olds),
        replaces: [...replaces, ...replacedOnChanges(news, properties)],
      };
    });
  }

  async create(inputs: HostProperties): Promise<pulumi.dynamic.CreateResult> {
    return this.#run(inputs, async (lifecycle) => {
      const made = await lifecycle.create({
        ...urnIn(inputs),
        inputs: fromHost(inputs),
      });
      return {
        id: made.id,
        outs: { ...toHost(made.state), ...hiddenIn(inputs) },
      };
    });
  }

  async read(
    id: string,
    last: HostProperties,
  ): Promise<pulumi.dynamic.ReadResult> {
    const state = "schemaVersion" in last ? fromHost(last) : undefined;
    const found = await this.#run(last, (lifecycle) =>
      lifecycle.read({ id, ...(state && { state }) }),
    );
    // An empty ID tells the engine that the object is gone.
    if (!found) return { id: "", props: {} };
    return {
      id,
      props: { ...toHost(found.state), ...hiddenIn(last) },
      ...(found.inputs && {
        inputs: { ...toHost(found.inputs), ...hiddenIn(last) },
      }),
    };
  }

  async update(
    id: string,
    olds: HostProperties,
    news: HostProperties,
  ): Promise<pulumi.dynamic.UpdateResult> {
    return this.#run(news, async (lifecycle) => {
      const { state } = await lifecycle.update({
        ...urnIn(news),
        id,
        state: fromHost(olds),
        inputs: fromHost(news),
        ignoreChanges: textsIn(news, IGNORE_CHANGES),
      });
      return { outs: { ...toHost(state), ...hiddenIn(news) } };
    });
  }

  async delete(id: string, olds: HostProperties): Promise<void> {
    await this.#run(olds, (lifecycle) =>
      lifecycle.delete({ id, state: fromHost(olds) }),
    );
  }

  /** Runs an operation, and turns its error into one that the host can pass on. */
  async #run<T>(
    given: HostProperties,
    work: (lifecycle: Lifecycle) => Promise<T>,
  ): Promise<T> {
    try {
      return await work(new Lifecycle(await this.load(), this.session.current));
    } catch (error) {
      const { __provider } = given;
      throw toHostError(error, { __provider, ...hiddenIn(given) });
    }
  }
}

/**
 * The changed inputs that the option replaceOnChanges names; the host reports no other
 * changes to the engine.
 */
function replacedOnChanges(
  news: HostProperties,
  properties: readonly PropertyDiff[],
): string[] {
  const named = new Set(textsIn(news, REPLACE_ON_CHANGES));
  return properties
    .map(({ path }) => path)
    .filter((path) =>
      ["*", path, ...path.split(/[.[]/, 1)].some((one) => named.has(one)),
    );
}

/**
 * A failure that names its input only in its text. For a failure with a property, the
 * engine prints the value of that input, even a secret one.
 */
const withoutProperty = ({ property, reason }: CheckFailure) => ({
  property: "",
  reason: harmlessText(property === "" ? reason : `${property}: ${reason}`),
});
