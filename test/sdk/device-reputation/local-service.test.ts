import { expect, it } from "vitest";
import { rejection, Workspace } from "../workspace";
import { openForTests } from "../../helpers/open-for-tests";

const workspace = openForTests(new Workspace());

it("the local service returns device reputation in the form that the client reads", async () => {
  const timestamps = {
    firstSeenAt: "2026-01-01T00:00:00Z",
    lastSeenAt: "2026-01-31T00:00:00Z",
  };
  await workspace.control("/us/drn/v1", { timestamps });
  const { deviceReputation } = workspace.client();
  const asked = await deviceReputation.get("v1", { signals: ["timestamps"] });
  expect(asked).toEqual({ timestamps });
  expect(await deviceReputation.get("v1")).toMatchObject({ timestamps });
  const error = await rejection(deviceReputation.get("v2"));
  expect(error.name).toBe("VisitorNotFoundError");
  const { deviceReputation: nobody } = workspace.client(
    {},
    { secretKey: "nobody" },
  );
  expect((await rejection(nobody.get("v1"))).name).toBe("SecretKeyError");
});
