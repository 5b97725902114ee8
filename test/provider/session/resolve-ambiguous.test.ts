import {
  AmbiguousError,
  ConflictError,
  ForbiddenError,
  UnexpectedAnswerError,
} from "@devid/sdk";
import { expect, it } from "vitest";
import { resolveAmbiguous } from "../../../provider/src/session/resolve-ambiguous";

const failing = (error: Error) => () => Promise.reject(error);
const looking = (found: string | undefined) => {
  const look = () => {
    look.times += 1;
    return Promise.resolve(found);
  };
  look.times = 0;
  return look;
};

const UNCLEAR = [
  new AmbiguousError("Rotating", "ECONNRESET"),
  new UnexpectedAnswerError("Rotating", "no JSON", { isRead: false }),
  // A gateway may have passed the call on before it answered.
  new ForbiddenError({
    ...{ operation: "Rotating", status: 403, detail: "Forbidden" },
    isForeign: true,
  }),
];

it("returns the result of the call without a search", async () => {
  const look = looking("found");
  const answer = resolveAmbiguous(() => Promise.resolve("done"), look);
  expect(await answer).toBe("done");
  expect(look.times).toBe(0);
});

it.each(UNCLEAR)(
  "returns the object that it finds after $name",
  async (error) => {
    const answer = resolveAmbiguous(failing(error), looking("found"));
    expect(await answer).toBe("found");
  },
);

it.each(UNCLEAR)(
  "keeps the error $name when it finds nothing",
  async (error) => {
    const answer = resolveAmbiguous(failing(error), looking(undefined));
    await expect(answer).rejects.toBe(error);
  },
);

it("does not search after a clear answer", async () => {
  const error = new ConflictError({
    operation: "Rotating",
    status: 409,
    detail: "no",
  });
  const look = looking("found");
  await expect(resolveAmbiguous(failing(error), look)).rejects.toBe(error);
  expect(look.times).toBe(0);
});

it("keeps the error of the call, and says that the search failed", async () => {
  const error = new AmbiguousError("Rotating", "502 Bad Gateway");
  const failed = new ForbiddenError({
    ...{ operation: "Listing", status: 403, detail: "Forbidden" },
  });
  const answer = resolveAmbiguous(failing(error), failing(failed));
  await expect(answer).rejects.toBe(error);
  expect(error.message).toMatch(/^Rotating got no clear answer [^]*\nLooking/);
  expect(error.message).toContain(failed.message);
});

it("throws what a search finds out", async () => {
  const error = new AmbiguousError("Creating", "ECONNRESET");
  const lost = new Error("The token is lost.");
  const answer = resolveAmbiguous(failing(error), failing(lost));
  await expect(answer).rejects.toBe(lost);
});
