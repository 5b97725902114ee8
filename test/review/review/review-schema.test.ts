import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import Ajv from "ajv";
import { describe, expect, it } from "vitest";
import { formatFailedReview } from "@devid/review";
import type { Rule } from "../../../rules/src";
import {
  FailedReviewSchema,
  ReviewSchema,
  type Review,
} from "../../../review/src";
import { RuleSetDiffSchema } from "../../../review/src/review/part-schemas";
import { rule } from "../../rules/diff/rule";
import {
  hostileAbsence,
  hostileFailure,
  hostileReview,
} from "./hostile-review";
import { SAMPLED } from "./sample-impact";
import { sampleReview } from "./sample-review";
import { textOf } from "../../helpers/repository";

const path = resolve(__dirname, "../../../review/review.schema.json");
const validate = new Ajv({
  strict: true,
  allowUnionTypes: true,
  formats: { "date-time": true },
}).compile(JSON.parse(readFileSync(path, "utf8")) as object);

const holds = (review: unknown) =>
  validate(JSON.parse(JSON.stringify(review)) as unknown);

describe("the JSON schema of a review", () => {
  it("is part of the package", () => {
    const { files } = JSON.parse(textOf("review/package.json")) as {
      files: string[];
    };
    expect(files).toContain("review.schema.json");
  });

  it.each<[string, Review]>([
    ["a full review", sampleReview()],
    ["a review with a plan, a commit and a scope", hostileReview("x")],
    ["a review with a sample", sampleReview({ impact: SAMPLED })],
    ["a review without its parts", hostileAbsence("x")],
    ["a review of an invalid file", sampleReview({ text: "" })],
    [
      "a review of a new file",
      sampleReview({ base: { name: "v1", note: "new", rules: [] } }),
    ],
  ])("accepts %s, which is the same after the schema of zod", (_, review) => {
    expect(holds(review), JSON.stringify(validate.errors)).toBe(true);
    const later = { ...review, ofALaterVersion: 1 };
    expect(holds(later), JSON.stringify(validate.errors)).toBe(true);
    const json = JSON.parse(JSON.stringify(review)) as unknown;
    expect(ReviewSchema.parse(json)).toEqual(json);
  });

  it("accepts rules in force with words that this version does not know", () => {
    const odd = { action: "challenge", status: "monitor", denyWith: "Teapot" };
    const found = (name: string, words: object): Rule => ({
      ...rule(name),
      ...words,
    });
    const review = sampleReview({
      base: {
        name: "live",
        rules: [
          found("gone", odd),
          found("block-curl", odd),
          found("block-crawlers", { denyWith: "Teapot" }),
        ],
      },
      impact: { absent: "No event key is set." },
    });
    const text = JSON.stringify(review.diff);
    expect(text).toContain('"status":"monitor","denyWith":"Teapot"');
    expect(text).toContain('"action":{"before":"challenge"');
    expect(holds(review), JSON.stringify(validate.errors)).toBe(true);
    const { diff } = JSON.parse(JSON.stringify(review)) as Review;
    expect(RuleSetDiffSchema.parse(diff)).toEqual(diff);
  });

  it("accepts the report of a failed review", () => {
    const failed = JSON.parse(
      formatFailedReview(hostileFailure("x"), "json"),
    ) as object;
    expect(holds(failed), JSON.stringify(validate.errors)).toBe(true);
    expect(FailedReviewSchema.parse(failed)).toEqual(failed);
    expect(holds({ ...failed, failed: {} })).toBe(false);
  });

  it("refuses another version, and a review without a part", () => {
    const { verdict, ...rest } = sampleReview();
    expect(holds(rest)).toBe(false);
    expect(holds({ ...rest, verdict, version: 2 })).toBe(false);
    expect(holds({ ...rest, verdict, impact: {} })).toBe(false);
    expect(holds({ ...rest, verdict: { ...verdict, risk: "none" } })).toBe(
      false,
    );
  });
});
