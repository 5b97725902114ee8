import { describe, expect, it } from "vitest";
import { findOne } from "../../../provider/src/definition/find-one";
import { LookupError } from "../../../provider/src/definition/errors";

const wanted = (by: string, value: string) => ({
  singular: "webhook",
  region: "eu",
  by,
  value,
  advice: { none: "Check it.", several: "Adopt one by its ID:" },
});

const webhook = (id: string, url: string, more: object = {}) => ({
  id,
  outputs: { url, ...more },
});

function failure(
  all: Parameters<typeof findOne>[0],
  by: string,
  value: string,
) {
  try {
    findOne(all, wanted(by, value));
  } catch (error) {
    if (error instanceof LookupError) return error;
  }
  throw new Error("One was found.");
}

describe("finding one object", () => {
  const one = webhook("wh_1", "https://a.example/");
  const two = webhook("wh_2", "https://b.example/");

  it("returns the only exact match", () => {
    expect(findOne([one, two], wanted("id", "wh_2"))).toBe(two);
    expect(findOne([one, two], wanted("url", "https://a.example/"))).toBe(one);
  });

  it("lists the matches when there are several", () => {
    const sameUrl = webhook("wh_3", "https://a.example/", {
      status: "enabled",
      environment: null,
      signingKey: "hidden",
    });
    const error = failure([one, two, sameUrl], "url", "https://a.example/");
    expect(error.matches).toEqual(["wh_1", "wh_3"]);
    expect(error.message).toSay("find/several-with-the-url");
  });

  it("lists the existing objects when none matches, but only the first of many", () => {
    const many = Array.from({ length: 23 }, (_, n) =>
      webhook(`wh_${n}`, "https://a.example/"),
    );
    const { message } = failure(many, "id", "wh_x");
    expect(message).toContain(
      "There is no webhook wh_x in the workspace in region eu. Check it. It has:\n  wh_0, ",
    );
    expect(message).toMatch(/\n {2}wh_19, .*\n {2}and 3 more$/);
    expect(failure([], "id", "wh_x").message).toMatch(/Check it\.$/);
  });

  it.each([
    [
      "https://u:p@a.example/h",
      "https://a.example/[redacted]",
      "https://[redacted]@a.example/h",
    ],
    [
      "https://a.example:8443/h?t=1",
      "https://a.example:8443/[redacted]",
      "https://a.example:8443/h?[redacted]",
    ],
    [
      "https://a.example/#t",
      "https://a.example/?[redacted]",
      "https://a.example/?[redacted]",
    ],
    ["no address", "[redacted]", "[redacted]"],
  ])("shows the url %s of another object as %s", (url, shown, wanted) => {
    const { message } = failure([webhook("wh_1", url)], "url", `${url}x`);
    expect(message).toContain(`\n  wh_1, url ${shown}`);
    expect(failure([], "url", url).message).toContain(`the url ${wanted} in`);
  });
});
