import { beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { rowsOf } from "../../helpers/cells-of";
import type { Properties } from "../../simulation/engine/property-value";
import { HostedResource } from "../../helpers/hosted-resource";
import { hostForTests } from "../host-for-tests";

/** An environment for one test, and the resource that manages its key. */
let environment: string;
let key: HostedResource;
const { workspace, host } = hostForTests();
beforeEach(async () => {
  environment = await workspace.newEnvironment("Staging");
  key = new HostedResource(host, "EncryptionKey");
});

const stored = async () => {
  const keys = await workspace.list("encryption-keys");
  return keys.find((one) => one.environment === environment) as Properties;
};
const up = (program: Properties) => key.up({ environment, ...program });
/** The tokens, under their names in the state. */
const tokens = async () => {
  const { token, next_token, previous_token } = await stored();
  return {
    token,
    nextToken: next_token,
    ...(previous_token === null ? {} : { previousToken: previous_token }),
  };
};
const movesSince = async (mark: number) =>
  (await workspace.requestsSince(mark))
    .filter(({ method }) => method === "POST")
    .map(({ path }) => path.split("/").at(-1));

describe("adopting an encryption key", () => {
  it("takes the key of the environment and changes nothing", async () => {
    const before = await stored();
    await up({});
    expect(key.id).toBe(before.id);
    expect(await stored()).toEqual(before);
    expect(key.state).toMatchObject({
      environment,
      environmentId: environment,
      ...(await tokens()),
    });
    for (const unmanaged of ["name", "description", "status", "adoptedStatus"])
      expect(key.state).not.toHaveProperty(unmanaged);
  });

  it("takes the key of the default environment when the program names none", async () => {
    const { environment: byDefault } = workspace.service.workspaces.us;
    await key.up({ status: "enabled" });
    expect(key.state).not.toHaveProperty("environment");
    expect(key.state).toMatchObject({ environmentId: byDefault });
    // A replacement of the key by itself would end with its former status.
    const named = { status: "enabled", environment: byDefault };
    expect(await key.up(named)).toBe("same");
    expect(await key.up({ ...named, name: "Results" })).toBe("update");
    const unnamed = { status: "enabled", name: "Results" };
    expect(await key.up(unnamed)).toBe("same");
    const keys = await workspace.list("encryption-keys");
    const adopted = keys.find(({ id }) => id === key.id);
    expect(adopted).toMatchObject({ status: "enabled", name: "Results" });
    await key.destroy();
  });

  const one = { id: "ek_1", status: "disabled", environment: "ae_1" };
  it.each([
    ["no key", [], "has 0 encryption keys; exactly one can be adopted"],
    [
      "two keys",
      [one, { ...one, id: "ek_2" }],
      "has 2 encryption keys (ek_1, ek_2); exactly one can be adopted",
    ],
  ])("is refused for an environment with %s", async (_, data, message) => {
    await workspace.fault({
      match: { path: "/management/encryption-keys" },
      then: { status: 200, body: { data } },
    });
    await expect(up({ name: "Results" })).rejects.toThrow(
      `Environment ${environment} ${message}`,
    );
  });
});

describe("a declared field of an encryption key", () => {
  // contract: management-114
  it("is set, drift in it is reverted, and undeclared fields are left alone", async () => {
    const program = { name: "Results", status: "enabled" };
    await up(program);
    expect(await stored()).toMatchObject(program);
    await workspace.call("PATCH", `/encryption-keys/${key.id}`, {
      description: "by hand",
    });
    await key.refresh();
    expect(await up(program)).toBe("same");
    await workspace.call("PATCH", `/encryption-keys/${key.id}`, {
      status: "disabled",
    });
    await key.refresh();
    expect(await up(program)).toBe("update");
    expect(await stored()).toMatchObject({
      ...program,
      description: "by hand",
    });
  });

  // contract: management-114
  it.each<[string, Properties[], Properties]>([
    [
      "is restored on destroy only if it is the status",
      [
        { status: "enabled", name: "Results" },
        { status: "enabled", name: "Answers" },
      ],
      { status: "disabled", name: "Answers" },
    ],
    [
      "keeps its value when the program drops it, and a destroy still restores the first status",
      [{ status: "enabled" }, { name: "Results" }, {}],
      { status: "disabled", name: "Results" },
    ],
  ])("%s", async (_, programs, after) => {
    for (const program of programs) await up(program);
    expect(await stored()).toMatchObject({ ...after, status: "enabled" });
    await key.refresh();
    await key.destroy();
    expect(await stored()).toMatchObject(after);
  });

  it("is restored even if the adopting update never got an answer", async () => {
    await workspace.faultOnce("PATCH /encryption-keys/*", "reset", {
      times: 5,
      after: true,
    });
    await expect(up({ status: "enabled" })).rejects.toThrow(
      "sent no whole answer",
    );
    await up({ status: "enabled" });
    await key.destroy();
    expect(await stored()).toMatchObject({ status: "disabled" });
  });

  it("does not restore the status on destroy when the program never declared it", async () => {
    await up({});
    await workspace.call("PATCH", `/encryption-keys/${key.id}`, {
      status: "enabled",
    });
    await key.destroy();
    expect(await stored()).toMatchObject({ status: "enabled" });
  });
});

/** What each update of a story does, how it moves the tokens of the key, and its program. */
const ROTATIONS = `
rotates from no value, and reverts for an empty value
  create {}
  update rotate {rotation: a}
  update revert {rotation: ""}
does nothing when the value is left out or put back, and still knows the value before
  create {rotation: a}
  update rotate {rotation: b}
  same {}
  same {rotation: b}
  update {name: Results}
  same {name: Results}
  same {name: Results, rotation: b}
  update revert {name: Results, rotation: a}
rotates for a new value after the value was left out
  create {rotation: a}
  update {name: Results}
  update rotate {name: Results, rotation: c}
reverts one step and no further, and not for a change of another field
  create {rotation: a}
  update rotate {rotation: b}
  update rotate {rotation: c}
  update revert {rotation: b}
  update {rotation: b, name: Results}
  update rotate {rotation: a, name: Results}
`;

it.each(rowsOf(ROTATIONS).map(([title, ...updates]) => ({ title, updates })))(
  "the rotation of an encryption key $title",
  async ({ updates }) => {
    for (const update of updates) {
      const [, step, move, text = ""] =
        /^(\w+)(?: (\w+))? (\{.*\})$/.exec(update) ?? [];
      const program = parse(text) as Properties;
      const before = await tokens();
      const mark = await workspace.mark();
      expect([update, await up(program)]).toEqual([update, step]);
      expect([update, ...(await movesSince(mark))]).toEqual(
        move ? [update, move] : [update],
      );
      if (!move) expect(await tokens()).toEqual(before);
      if (step === "update" && !("rotation" in program))
        expect(key.state).not.toHaveProperty("rotation");
      expect(await key.refresh()).toBe(true);
      expect(key.state).toMatchObject(await tokens());
    }
  },
);

describe("a rotation by somebody else", () => {
  const rotateByHand = () =>
    workspace.call("POST", `/encryption-keys/${key.id}/rotate`);

  it("stops a revert: nothing is sent or recorded", async () => {
    await up({ rotation: "a" });
    await up({ rotation: "b" });
    await rotateByHand();
    const { state } = key;
    const theirs = await tokens();
    const mark = await workspace.mark();
    await expect(up({ rotation: "a" })).rejects.toSay(
      "rotation/revert-of-another",
      { key: key.id },
    );
    expect(key.incomplete).toBe(false);
    expect(key.state).toEqual(state);
    expect(await tokens()).toEqual(theirs);
    expect(await movesSince(mark)).toEqual([]);

    // A refresh records their tokens. It does not make their rotation the program's.
    await key.refresh();
    await expect(up({ rotation: "a" })).rejects.toSay(
      "rotation/revert-of-another",
    );
    expect(await movesSince(mark)).toEqual([]);

    // The ways out that the error names.
    expect(await up({ rotation: "b" })).toBe("same");
    expect(await tokens()).toEqual(theirs);
    await up({ rotation: "c" });
    expect(await movesSince(mark)).toEqual(["rotate"]);
  });

  it("stops a revert when somebody else already reverted the rotation", async () => {
    await up({ rotation: "a" });
    await up({ rotation: "b" });
    await workspace.call("POST", `/encryption-keys/${key.id}/revert`);
    const mark = await workspace.mark();
    await expect(up({ rotation: "a" })).rejects.toSay(
      "rotation/revert-of-another",
    );
    expect(await movesSince(mark)).toEqual([]);
    expect(key.state).toMatchObject({ rotation: "b", rotationBefore: "a" });
  });

  it("is reported when the update rotates once more", async () => {
    await up({ rotation: "a" });
    await rotateByHand();
    const theirs = await tokens();
    host.stderr = "";
    await up({ rotation: "b" });
    expect(await tokens()).toMatchObject({
      token: theirs.nextToken,
      previousToken: theirs.token,
    });
    expect(host.stderr).toSay("rotation/once-more", { key: key.id });
  });
});

describe("a rotation without a clear answer", () => {
  const cutOff = (move: string, then: unknown = "reset", more: object = {}) =>
    workspace.faultOnce(`POST /encryption-keys/*/${move}`, then, more);

  it.each([
    ["cut off", "reset"],
    ["answered with 500", { status: 500 }],
    ["answered with a page", { status: 200, body: "<html>" }],
  ])("that the service carried out (%s) counts as done", async (_, then) => {
    await up({ rotation: "a" });
    const first = await tokens();
    const mark = await workspace.mark();
    await cutOff("rotate", then, { after: true });
    await up({ rotation: "b" });
    expect(await tokens()).toMatchObject({ token: first.nextToken });
    expect(key.state).toMatchObject({
      token: first.nextToken,
      rotationBefore: "a",
    });
    await cutOff("revert", then, { after: true });
    await up({ rotation: "a" });
    expect(key.state).toMatchObject(first);
    expect(await movesSince(mark)).toEqual(["rotate", "revert"]);
  });

  it.each([
    ["rotate", "b", "c", "rotation/no-answer"],
    ["revert", "b", "a", "rotation/revert-without-answer"],
  ])(
    "that should %s and did not happen fails, is not recorded, and the next update does it",
    async (move, was, rotation, sentence) => {
      await up({ rotation: "a" });
      await up({ rotation: was });
      const before = await tokens();
      const { state } = key;
      await cutOff(move);
      await expect(up({ rotation })).rejects.toSay(sentence, { key: key.id });
      expect(key.incomplete).toBe(false);
      expect(key.state).toEqual(state);
      expect(await tokens()).toEqual(before);
      expect(await up({ rotation })).toBe("update");
      expect((await tokens()).token).toBe(
        move === "rotate" ? before.nextToken : before.previousToken,
      );
      expect(key.state).toMatchObject({ rotation, ...(await tokens()) });
      const { rotationBefore, tokenBefore } = key.state;
      expect([rotationBefore, tokenBefore]).toEqual(
        move === "rotate" ? [was, before.token] : [undefined, undefined],
      );
    },
  );

  it("is not repeated when the call after it fails", async () => {
    await up({ rotation: "a" });
    const first = await tokens();
    await workspace.refuseOnce({ method: "PATCH" });
    const program = { rotation: "b", description: "Rotated" };
    await expect(up(program)).rejects.toThrow("failed: 403");
    expect(key.incomplete).toBe(true);
    expect(key.state).toMatchObject({
      rotation: "b",
      rotationBefore: "a",
      token: first.nextToken,
    });
    expect(await up(program)).toBe("update");
    expect(await tokens()).toMatchObject({ token: first.nextToken });
    expect(await stored()).toMatchObject({ description: "Rotated" });
    expect(await up(program)).toBe("same");
  });
});

describe("the status of a key before the adoption", () => {
  const patch = (body: object) =>
    workspace.call("PATCH", `/encryption-keys/${key.id}`, body);
  const statusNow = async () => (await stored()).status;

  it.each(["has set the status since", "has set it and a refresh has seen it"])(
    "is not restored when somebody %s, and a message says so",
    async (when) => {
      await up({ status: "enabled" });
      await patch({ status: "disabled" });
      await workspace.control("/clock", { advance: "1m" });
      await patch({ status: "enabled" });
      if (when.includes("refresh")) await key.refresh();
      host.stderr = "";
      const mark = await workspace.mark();
      await key.destroy();
      expect(
        (await workspace.requestsSince(mark)).map(({ method }) => method),
      ).toEqual(["GET"]);
      expect(await statusNow()).toBe("enabled");
      expect(host.stderr).toSay("encryption-key/status-of-somebody-else", {
        key: key.id,
      });
    },
  );

  it("is not restored when another EncryptionKey took over the key in this update, and a message says so", async () => {
    await up({ status: "enabled" });
    await host.stop();
    // A rename without an alias: the engine creates the new resource, then deletes the old one.
    const renamed = new HostedResource(host, "EncryptionKey");
    await renamed.up({ environment, status: "enabled" });
    expect(renamed.id).toBe(key.id);
    host.stderr = "";
    const mark = await workspace.mark();
    await key.destroy();
    expect(await workspace.requestsSince(mark)).toEqual([]);
    expect(await statusNow()).toBe("enabled");
    expect(host.stderr).toSay("encryption-key/taken-over", { key: key.id });
  });

  it("is not restored by a replacement, which keeps the same key", async () => {
    await up({ status: "enabled" });
    await host.stop();
    const { id } = key;
    await key.replace({ environment, status: "enabled" });
    expect(key.id).toBe(id);
    expect(await statusNow()).toBe("enabled");
    expect(host.stderr).toContain("it was disabled");
  });
});
