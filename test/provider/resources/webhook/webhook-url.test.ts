import { expect, it } from "vitest";
import { lifecycleOf } from "../../lifecycle-of";
import { silentSession } from "../../session-of";

const local = silentSession();
const remote = silentSession({
  managementUrl: "https://management.example",
  managementKey: "a-management-key",
});
const loopback = "or with http:// and be on this machine";

it.each([
  ["https://shop.example/hook", undefined, undefined],
  ["HTTPS://shop.example/hook", undefined, undefined],
  ["http://127.0.0.1:8080/hook", undefined, "must start with https://"],
  ["http://localhost/hook", undefined, "must start with https://"],
  ["http://[::1]:8080/hook", undefined, "must start with https://"],
  ["http://shop.example/hook", loopback, "must start with https://"],
  ["HTTP://shop.example/hook", loopback, "must start with https://"],
  ["http://127.0.0.1.shop.example/", loopback, "must start with https://"],
  ["ftp://shop.example/hook", "Invalid URL", "Invalid URL"],
  ["shop.example/hook", "Invalid URL", "Invalid URL"],
  ["", "Invalid URL", "Invalid URL"],
])(
  "the url %s is refused by the check with %s, and by the service with %s",
  async (url, withLocal, withRemote) => {
    for (const [session, reason] of [
      [local, withLocal],
      [remote, withRemote],
    ] as const) {
      const { failures } = await lifecycleOf("Webhook", session).check({
        news: { url },
      });
      expect(failures).toEqual(
        reason === undefined
          ? []
          : [
              {
                property: "url",
                reason: expect.stringContaining(reason) as string,
              },
            ],
      );
    }
  },
);
