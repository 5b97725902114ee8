import { equality } from "./equality";
import type { Example } from "./example";
import { logic } from "./logic";
import { membership } from "./membership";
import { networks } from "./networks";
import { numbers } from "./numbers";
import { order } from "./order";
import { patterns } from "./patterns";
import { quantifiers } from "./quantifiers";
import { syntax } from "./syntax";
import { texts } from "./texts";

export { requests, type Answer, type Example } from "./example";

/** Handwritten expressions, and their results for each of the two requests. */
export const examples: readonly Example[] = [
  ...equality,
  ...numbers,
  ...order,
  ...logic,
  ...texts,
  ...membership,
  ...networks,
  ...patterns,
  ...quantifiers,
  ...syntax,
];
