import { hashText } from "../hash-text";

/** What drawing looks like here: fonts, smoothing and colours differ between devices. */
export function canvas():
  { winding: boolean; geometry: string; text: string } | undefined {
  const element = document.createElement("canvas");
  const context = element.getContext("2d");
  if (!context) return undefined;
  const winding = tellsInsideOut(context);
  drawText(element, context);
  const text = hashText(element.toDataURL());
  drawGeometry(element, context);
  return { winding, geometry: hashText(element.toDataURL()), text };
}

function tellsInsideOut(context: CanvasRenderingContext2D): boolean {
  context.rect(0, 0, 10, 10);
  context.rect(2, 2, 6, 6);
  return !context.isPointInPath(5, 5, "evenodd");
}

function drawText(
  element: HTMLCanvasElement,
  context: CanvasRenderingContext2D,
): void {
  element.width = 240;
  element.height = 60;
  context.textBaseline = "alphabetic";
  context.fillStyle = "#f60";
  context.fillRect(100, 1, 62, 20);
  context.fillStyle = "#069";
  context.font = '11pt "Times New Roman"';
  const sample = "Cwm fjordbank gly \u{1F603}";
  context.fillText(sample, 2, 15);
  context.fillStyle = "rgba(102, 204, 0, 0.2)";
  context.font = "18pt Arial";
  context.fillText(sample, 4, 45);
}

function drawGeometry(
  element: HTMLCanvasElement,
  context: CanvasRenderingContext2D,
): void {
  element.width = 122;
  element.height = 110;
  context.globalCompositeOperation = "multiply";
  for (const [colour, x, y] of [
    ["#f2f", 40, 40],
    ["#2ff", 80, 40],
    ["#ff2", 60, 80],
  ] as const) {
    context.fillStyle = colour;
    context.beginPath();
    context.arc(x, y, 40, 0, Math.PI * 2, true);
    context.closePath();
    context.fill();
  }
}
