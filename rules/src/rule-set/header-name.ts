import { z } from "zod";
import {
  canonicalHeaderName,
  HEADER_NAME,
} from "../language/request/header-names";

/**
 * Name of a request header in any letter case; the output is the name by which
 * rules see the header (docs/assumptions.md, A39).
 */
export const HeaderName = z
  .string()
  .regex(HEADER_NAME, "must be the name of a header, such as Sec-Ch-Ua")
  .transform((name) => canonicalHeaderName(name) ?? name);
