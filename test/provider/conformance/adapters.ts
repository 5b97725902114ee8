import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fieldsMarked } from "../../../provider/src/definition/field";
import * as registry from "../../../provider/src/registry";
import type { Kind, ProviderHost } from "../../helpers/provider-host";
import type { HostError } from "../../helpers/protocol-provider";
import type { Properties } from "../../simulation/engine/property-value";
import { sharedForTests } from "../../helpers/local-for-tests";
import type { LocalWorkspace } from "../../helpers/local-workspace";
import {
  PluginHost,
  revealed,
  secret,
  UNKNOWN_TEXT,
} from "../../helpers/plugin-host";
import { WebhookReceiver } from "../../helpers/webhook-receiver";
import { FULL_INPUTS, OTHER_INPUTS } from "../kind-rows";

const KINDS = Object.keys(registry) as Kind[];

const NO_SUCH_ID = "none_0000000000000000";

/**
 * What holds for every kind through every adapter. A kind takes part when it is in the registry and in
 * `FULL_INPUTS`. Each call of `newHost` starts the host of a new command.
 */
export function itConforms(
  adapter: string,
  newHost: (workspace: LocalWorkspace) => Promise<ProviderHost>,
): void {
  const workspace = sharedForTests();
  let receiver: WebhookReceiver;
  let host: ProviderHost;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    host = await newHost(workspace);
  });
  afterAll(async () => {
    await host.stop();
    receiver.close();
  });

  describe.each(KINDS)("%s", (kind) => {
    const { inputs: schema, outputs } = registry[kind];
    let environment: string;
    /** A program that sets every input that one call to the service can declare. */
    let program: Properties;
    let inputs: Properties;
    let id: string;
    let state: Properties;

    beforeAll(async () => {
      const name = `${adapter} ${kind}`;
      environment = (await workspace.make("/environments", { name })).id;
      const apart = [
        ...fieldsMarked(schema, "setting"),
        ...fieldsMarked(schema, "suppressDiff"),
      ];
      program = Object.fromEntries(
        Object.entries(FULL_INPUTS[kind]).filter(([n]) => !apart.includes(n)),
      );
      const isOfWebhook = "webhookId" in schema.shape;
      if (isOfWebhook) {
        const hook = { url: receiver.url };
        program.webhookId = (await workspace.make("/webhooks", hook)).id;
        program.url = receiver.url;
      } else
        for (const reference of fieldsMarked(schema, "references"))
          program[reference] = environment;
      const checked = await host.check(kind, program);
      expect(checked.failures).toEqual([]);
      inputs = checked.inputs;
      const created = await host.create(kind, inputs);
      id = created.id;
      // An update completes what the creation left for later.
      state = await host.update(kind, id, created.properties, inputs);
    });

    it("gets an ID, and its state has its inputs", () => {
      expect(id).not.toBe("");
      expect(revealed(state)).toMatchObject(revealed(inputs));
    });

    it("returns checked inputs unchanged from a second check", async () => {
      const again = await host.check(kind, inputs, inputs);
      expect(again).toEqual({ inputs, failures: [] });
    });

    it("takes null for each input that the program leaves out", async () => {
      const names = Object.keys(schema.shape);
      const nulls = Object.fromEntries(names.map((name) => [name, null]));
      const checked = await host.check(kind, { ...nulls, ...program }, inputs);
      expect(checked).toEqual({ inputs, failures: [] });
    });

    it("shows no difference from its own outputs", async () => {
      const declared = Object.fromEntries(
        Object.entries(state).filter(([name]) => name in schema.shape),
      );
      const { inputs: news, failures } = await host.check(
        kind,
        declared,
        inputs,
      );
      expect(failures).toEqual([]);
      expect(await host.diff(kind, id, state, news)).toMatchObject(SAME);
    });

    it("shows no difference after a read, and the read returns the same inputs", async () => {
      const read = await host.read(kind, id, state);
      expect(read.id).toBe(id);
      expect(revealed(read.inputs)).toMatchObject(revealed(inputs));
      for (const news of [inputs, read.inputs])
        expect(await host.diff(kind, id, read.properties, news)).toMatchObject(
          SAME,
        );
    });

    it("sends no request when the inputs are the same", async () => {
      const mark = await workspace.mark();
      await host.check(kind, program, inputs);
      await host.diff(kind, id, state, inputs);
      const updated = await host.update(kind, id, state, inputs);
      expect(revealed(updated)).toEqual(revealed(state));
      expect(await workspace.requestsSince(mark)).toEqual([]);
    });

    it("is imported by its ID alone, with inputs that a program can declare", async () => {
      if (!(host instanceof PluginHost)) return;
      // A new command, because in the first command the object belongs to a resource.
      const next = await newHost(workspace);
      const read = await next.read(kind, id, {});
      const checked = await next.check(kind, read.inputs, read.inputs);
      expect(checked.failures).toEqual([]);
      const found = await next.diff(kind, id, read.properties, checked.inputs);
      await next.stop();
      expect(found).toMatchObject(SAME);
      const local = fieldsMarked(schema, "local");
      const declared = Object.entries(program).filter(
        ([name]) => !local.includes(name),
      );
      expect(revealed(read.inputs)).toMatchObject(Object.fromEntries(declared));
    });

    it("is reported gone when the service does not have it, and is no object by its ID alone", async () => {
      const read = await host.read(kind, NO_SUCH_ID, state);
      expect(read).toEqual({ id: "", properties: {}, inputs: {} });
      await expect(host.read(kind, NO_SUCH_ID, {})).rejects.toThrow(
        `There is no ${registry[kind].singular} ${NO_SUCH_ID} in`,
      );
    });

    // contract: management-93
    it.each(Object.keys(FULL_INPUTS[kind]))(
      "is updated or replaced, as its definition says, when %s changes",
      async (name) => {
        const full = { ...FULL_INPUTS[kind], ...program };
        const checked = await host.check(kind, full, inputs);
        expect(checked.failures).toEqual([]);
        const was = { ...state, ...checked.inputs };
        const news = { ...checked.inputs, [name]: OTHER_INPUTS[kind][name] };
        const found = await host.diff(kind, id, was, news);
        if (fieldsMarked(schema, "suppressDiff").includes(name)) {
          expect(found).toEqual(await host.diff(kind, id, was, checked.inputs));
          return;
        }
        const replaces = fieldsMarked(schema, "immutable").includes(name);
        expect(found.changes).toBe(true);
        expect(found.replaces).toEqual(replaces ? [name] : []);
        if (!found.properties) return;
        const entries = Object.entries(found.properties);
        expect(entries).not.toEqual([]);
        for (const [path, change] of entries) {
          expect(path.split(/[.[]/)[0]).toBe(name);
          expect(change.endsWith("_replace")).toBe(replaces);
        }
      },
    );

    it("is previewed with any one part of the program unknown", async () => {
      const mark = await workspace.mark();
      for (const news of withAnUnknown(program)) {
        const created = await host.check(kind, news);
        expect(created.failures).toEqual([]);
        const { inputs: later, failures } = await host.check(
          kind,
          news,
          inputs,
        );
        expect(failures).toEqual([]);
        const { changes } = await host.diff(kind, id, state, later);
        expect(changes).toBe(true);
        if (!(host instanceof PluginHost)) continue;
        await host.create(kind, created.inputs, true);
        await host.update(kind, id, state, later, true);
      }
      expect(await workspace.writesSince(mark)).toEqual([]);
    });

    it("can be deleted twice", async () => {
      await host.delete(kind, id, state);
      await host.delete(kind, id, state);
    });

    it("shows no secret in an error, whatever the service quotes", async () => {
      const { managementKey } = workspace.service.workspaces.us;
      const shown = revealed(state);
      const isMarked = (name: string) =>
        (["immutable", "local", "references"] as const).some((mark) =>
          fieldsMarked(schema, mark).includes(name),
        );
      const name = Object.keys(program).find((one) => !isMarked(one)) ?? "";
      const secrets = [
        managementKey,
        ...fieldsMarked(outputs, "secret").flatMap((one) => shown[one] ?? []),
      ].map(String);
      // Only the plugin hears which inputs the program itself marks as secret.
      const isReported = host instanceof PluginHost;
      const changed = OTHER_INPUTS[kind][name];
      const marked = {
        ...inputs,
        [name]: isReported ? secret(changed) : changed,
      };
      if (isReported && typeof changed === "string") secrets.push(changed);
      const message = secrets.join(" and ");
      const body = { error: { code: "validation_error", message } };
      const match = { surface: "management" };
      await workspace.fault({ match, then: { status: 400, body } });
      const said: string[] = [];
      const calls = [
        () => host.create(kind, marked),
        () => host.update(kind, id, state, marked),
        () => host.read(kind, id, state),
        () => host.delete(kind, id, state),
      ];
      for (const call of calls)
        await call().catch((error: HostError) =>
          said.push(error.message, ...(error.kept?.reasons ?? [])),
        );
      await workspace.forgetFaults();
      expect(said.join("\n")).toContain("validation_error");
      // A read gets no inputs of the program, and the state here has the former value.
      const own = said.filter(
        (text) => !/^(Reading|Listing|Deleting)/.test(text),
      );
      for (const value of secrets)
        expect((value === changed ? own : said).join("\n")).not.toContain(
          value,
        );
    });
  });
}

const SAME = { changes: false, replaces: [] };

/** The program, each time with another part of it unknown. */
function withAnUnknown(program: Properties): Properties[] {
  const parts = (value: unknown): unknown[] => {
    if (Array.isArray(value))
      return [
        UNKNOWN_TEXT,
        ...value.flatMap((item, index) =>
          parts(item).map((part) =>
            value.map((one: unknown, at) => (at === index ? part : one)),
          ),
        ),
      ];
    if (typeof value !== "object" || value === null) return [UNKNOWN_TEXT];
    return [
      UNKNOWN_TEXT,
      ...Object.entries(value).flatMap(([name, member]) =>
        parts(member).map((part) => ({ ...value, [name]: part })),
      ),
    ];
  };
  return parts(program).filter(
    (part): part is Properties => typeof part === "object",
  );
}
