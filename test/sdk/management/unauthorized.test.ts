import { UnauthorizedError, ValidationError } from "@devid/sdk";
import { describe, expect, it } from "vitest";
import { rejection, Workspace } from "../workspace";
import { openForTests } from "../../helpers/open-for-tests";

const workspace = openForTests(new Workspace());

describe("a key that the service refuses", () => {
  it.each([
    ["unknown", () => "no-such-key-at-all"],
    ["of another kind", () => workspace.service.workspaces.us.secretKey],
  ])(
    "because it is %s causes an error that names the key's source",
    async (_, key) => {
      const client = workspace.client({}, { managementKey: key() });
      const error = await rejection(client.apiKeys.list());
      expect(error).toBeInstanceOf(UnauthorizedError);
      expect(error).toMatchObject({ status: 401, code: "unauthorized" });
      expect(error.message).toContain(
        "The management key came from test setting managementKey",
      );
      expect(error.message).toContain("workspace in region us");
      expect(error.message).not.toContain(key());
    },
  );

  it("is not mentioned in other errors", async () => {
    const client = workspace.client({}, { apiVersion: "1999-01-01" });
    const error = await rejection(client.apiKeys.list());
    expect(error).toBeInstanceOf(ValidationError);
    expect(error.message).toContain("X-API-Version");
    expect(error.message).not.toContain("management key");
  });
});
