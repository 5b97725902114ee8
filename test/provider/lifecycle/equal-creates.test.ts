import { expect, it, vi } from "vitest";
import { sharedForTests } from "../../helpers/local-for-tests";
import { commandOn } from "../lifecycle-of";

const workspace = sharedForTests();

it.each([
  ["Webhook", "webhooks", { url: "https://shop.example/" }],
  ["ApiKey", "api-keys", { name: "pages", type: "public" }],
] as const)(
  "of two equal %ss that are created at once, one without a clear answer never gets the object of the other",
  async (kind, collection, news) => {
    const lifecycle = commandOn(workspace).lifecycle(kind);
    const create = async (urn: string) => {
      const { inputs } = await lifecycle.check({ urn, news });
      return await lifecycle.create({ urn, inputs });
    };
    const before = (await workspace.list(collection)).length;
    const call = `POST /${collection}`;
    await workspace.faultOnce(call, { delayMs: 300 }, { after: true });
    await workspace.faultOnce(call, { status: 502, body: "<html>" });
    const urns = ["urn:pulumi:a::b::c::one", "urn:pulumi:a::b::c::two"];
    const made = await Promise.allSettled(urns.map(create));
    const errors = made.flatMap((one) =>
      one.status === "rejected" ? [(one.reason as Error).name] : [],
    );
    expect(errors).toEqual(["AmbiguousError"]);
    expect(await workspace.list(collection)).toHaveLength(before + 1);
  },
);

it.each(["ahead", "back"])(
  "an object whose create got no clear answer is found after the machine's clock was set %s",
  async (way) => {
    const lifecycle = commandOn(workspace).lifecycle("ApiKey");
    const create = async (name: string) => {
      const [urn, news] = [
        `urn:pulumi:a::b::c::${name}`,
        { name, type: "public" },
      ];
      const { inputs } = await lifecycle.check({ urn, news });
      return await lifecycle.create({ urn, inputs });
    };
    await create(`before-${way}`);
    vi.setSystemTime(Date.now() + (way === "ahead" ? 1 : -1) * 3_600_000);
    await workspace.faultOnce(
      "POST /api-keys",
      { status: 502, body: "<html>" },
      { after: true },
    );
    // The service is in this process, and its time stays.
    await workspace.moveClock(
      new Date(performance.timeOrigin + performance.now()).toISOString(),
    );
    const { id } = await create(`after-${way}`);
    vi.useRealTimers();
    const made = (await workspace.list("api-keys")).at(-1);
    expect(made).toMatchObject({ id, name: `after-${way}` });
    await workspace.reset();
  },
);
