import { describe, expect, it } from "vitest";
import { HostedResource } from "../../../helpers/hosted-resource";
import { hostForTests } from "../../host-for-tests";

const { workspace, host } = hostForTests();

const stored = async (id: string) =>
  (await workspace.list("environments")).find((one) => one.id === id);

describe("the limit of an environment", () => {
  it.each([
    [
      { limitMode: "restrict" },
      'limitValue: is required with limitMode "restrict"',
    ],
    [
      { limitMode: "notify", limitValue: 0.5 },
      "limitValue: must be at least 1",
    ],
    [{ limitValue: 5 }, 'limitValue: needs limitMode "restrict" or "notify"'],
    [{ limitMode: "stop", limitValue: 5 }, /^limitMode: must be one of /],
  ])("is refused in the check: %j", async (limit, message) => {
    const environment = new HostedResource(host, "Environment");
    await expect(environment.up({ name: "Staging", ...limit })).rejects.toThrow(
      message,
    );
  });

  it("is created, changed and removed, and drift in it is reverted", async () => {
    const environment = new HostedResource(host, "Environment");
    await environment.up({ name: "Staging" });
    const restricted = {
      name: "Staging",
      description: "Before production",
      limitMode: "restrict",
      limitValue: 10,
    };
    await environment.up(restricted);
    expect(await stored(environment.id)).toMatchObject({
      limit_mode: "restrict",
      limit_value: 10,
    });
    await workspace.call("POST", `/environments/${environment.id}`, {
      limit_value: 20,
    });
    await environment.refresh();
    expect(environment.state).toMatchObject({ limitValue: 20 });
    expect(await environment.up(restricted)).toBe("update");

    await environment.up({ name: "Staging" });
    expect(await stored(environment.id)).toMatchObject({
      description: null,
      limit_mode: "none",
      limit_value: null,
    });
    await environment.destroy();
  });
});
