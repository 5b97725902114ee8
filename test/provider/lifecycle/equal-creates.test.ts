import { expect, it } from "vitest";
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
