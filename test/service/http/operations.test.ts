import * as wire from "@devid/sdk/wire";
import { expect, it } from "vitest";
import { openApi } from "../documented.js";

/** Every operation in the table that the client and the service share. */
const operations: wire.ManagementOperation[] = [
  wire.API_KEY,
  wire.ENCRYPTION_KEY,
  wire.ENVIRONMENT,
  wire.FILTERING_RULE,
  wire.WEBHOOK,
].flatMap((kind) => Object.values<wire.ManagementOperation>(kind));

it("the service serves every operation that the client can call, with its status", async () => {
  const { paths } = await openApi();
  const served = Object.entries(paths)
    .filter(([path]) => /^\/management\/(?!hello|analytics)/.test(path))
    .flatMap(([path, byMethod]) =>
      Object.entries(byMethod).map(([method, { operationId, responses }]) => [
        operationId,
        method.toUpperCase(),
        path.replace("/management", "").replace("{id}", ":id"),
        Object.keys(responses).filter((status) => status.startsWith("2")),
      ]),
    );
  expect(new Set(served)).toEqual(
    new Set(
      operations.map(({ name, method, path, status = 200 }) => [
        name,
        method,
        path,
        [String(status)],
      ]),
    ),
  );
});
