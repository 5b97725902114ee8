import { beforeEach, describe, expect, it } from "vitest";
import { Claims } from "../../../provider/src/session/claims";

let claims: Claims;
beforeEach(() => (claims = new Claims()));
const see = (id: string, claim?: string) => claims.see("ApiKey", id, claim);

describe("another resource than the one with the claim", () => {
  it("has nothing that nobody made or saw", () => {
    expect(claims.other("ApiKey", "tok_1", "a")).toBeUndefined();
    expect(claims.other("ApiKey", "tok_1", undefined)).toBeUndefined();
  });

  it("has what this session made under another claim, with a program or without", () => {
    claims.make("ApiKey", "tok_1", "a");
    expect(claims.other("ApiKey", "tok_1", "a")).toBeUndefined();
    expect(claims.other("ApiKey", "tok_1", "b")).toBe("made");
    expect(claims.other("ApiKey", "tok_1", undefined)).toBe("made");
    expect(claims.other("ApiKey", "tok_2", "b")).toBeUndefined();
    claims.enterProgram();
    expect(claims.other("ApiKey", "tok_1", "b")).toBe("made");
  });

  it("has what was seen in the program under another claim", () => {
    claims.enterProgram();
    see("tok_1", "a");
    expect(claims.other("ApiKey", "tok_1", "a")).toBeUndefined();
    expect(claims.other("ApiKey", "tok_1", "b")).toBe("seen");
    expect(claims.other("ApiKey", "tok_1", undefined)).toBe("seen");
  });

  it("has rather what was made than what was seen", () => {
    claims.enterProgram();
    see("tok_1", "a");
    claims.make("ApiKey", "tok_1", "b");
    expect(claims.other("ApiKey", "tok_1", "a")).toBe("made");
    expect(claims.other("ApiKey", "tok_1", "b")).toBe("seen");
    expect(claims.other("ApiKey", "tok_1", "c")).toBe("made");
  });

  it("has nothing that a refresh saw, before the program and without one", () => {
    see("tok_1", "a");
    expect(claims.other("ApiKey", "tok_1", "b")).toBeUndefined();
    claims.enterProgram();
    expect(claims.other("ApiKey", "tok_1", "b")).toBeUndefined();
    expect(claims.other("ApiKey", "tok_1", undefined)).toBeUndefined();
  });

  it("has what the program's first check came before, however many follow", () => {
    claims.enterProgram();
    see("tok_1", "a");
    claims.enterProgram();
    expect(claims.other("ApiKey", "tok_1", "b")).toBe("seen");
  });

  it("has nothing that is gone", () => {
    claims.enterProgram();
    claims.make("ApiKey", "tok_1", "a");
    see("tok_2", "a");
    claims.forget("ApiKey", "tok_1");
    claims.forget("ApiKey", "tok_2");
    expect(claims.other("ApiKey", "tok_1", "b")).toBeUndefined();
    expect(claims.other("ApiKey", "tok_2", "b")).toBeUndefined();
  });

  it("is of the same kind: a rule set has its environment's ID", () => {
    claims.enterProgram();
    claims.make("FilteringRuleSet", "ae_1", "a");
    claims.see("FilteringRuleSet", "ae_2", "a");
    for (const id of ["ae_1", "ae_2"]) {
      expect(claims.other("Environment", id, "b")).toBeUndefined();
      claims.see("Environment", id, "b");
      expect(claims.other("Environment", id, "b")).toBeUndefined();
      claims.forget("Environment", id);
    }
    expect(claims.other("FilteringRuleSet", "ae_1", "b")).toBe("made");
    expect(claims.other("FilteringRuleSet", "ae_2", "b")).toBe("seen");
  });

  it("is not seen in a state that makes no claim", () => {
    claims.enterProgram();
    see("tok_1");
    expect(claims.other("ApiKey", "tok_1", "b")).toBeUndefined();
  });
});

describe("two resources of one program with the same object", () => {
  const refused =
    "ApiKey tok_1 is in the state of two resources of this program, and an update of either would undo the other. " +
    "Take one of the two out of the program, and out of the state with pulumi state delete, which leaves tok_1 as it is.";

  it("are refused where the second is seen", () => {
    claims.enterProgram();
    see("tok_1", "a");
    see("tok_1", "a");
    see("tok_2", "b");
    expect(() => see("tok_1", "b")).toThrow(refused);
    expect(claims.other("ApiKey", "tok_1", "b")).toBe("seen");
  });

  it("are refused where this session made it for the first", () => {
    claims.enterProgram();
    claims.make("ApiKey", "tok_1", "a");
    expect(() => see("tok_1", "b")).toThrow(refused);
  });

  it("are let be by a refresh, which looks", () => {
    see("tok_1", "a");
    see("tok_1", "b");
    claims.enterProgram();
    see("tok_1", "b");
  });
});
