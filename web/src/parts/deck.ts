/**
 * The faces of the cards. Each is put into the page when it is first drawn: a browser that is
 * pointed at a symbol in a file reads and lays out the whole file, 52 faces, for every card.
 */
const FILES = { classic: "/cards.svg", large: "/cards-large.svg" } as const;
const BACK = "/back.svg";
const PAUSE_MS = 1000;
const SVG = "http://www.w3.org/2000/svg";

export type Sheet = keyof typeof FILES;

const sheets = new Map<Sheet, Promise<Document>>();
let page: SVGSVGElement | null = null;
let back: HTMLImageElement | null = null;

/** What to draw a card by. */
export function faceOf(sheet: Sheet, card: string): string {
  return `#${nameIn(sheet, `c${card}`)}`;
}

/** Have the cards here before the first is dealt, their backs too. */
export function fetchDeck(sheet: Sheet): void {
  back ??= Object.assign(new Image(), { src: BACK });
  void fetchSheet(sheet);
}

function fetchSheet(sheet: Sheet): Promise<Document> {
  const asked = sheets.get(sheet) ?? read(FILES[sheet]);
  sheets.set(sheet, asked);
  return asked;
}

/** The face of a card is in the page, at once if its sheet is here. */
export async function draw(sheet: Sheet, card: string): Promise<void> {
  if (!isHere(sheet, `c${card}`)) copy(await fetchSheet(sheet), sheet, `c${card}`);
}

async function read(path: string): Promise<Document> {
  for (;;) {
    const text = await fetch(path).then(
      (answer) => (answer.ok ? answer.text() : null),
      () => null,
    );
    if (text !== null) return new DOMParser().parseFromString(text, "image/svg+xml");
    await new Promise((done) => setTimeout(done, PAUSE_MS));
  }
}

/** Copy a drawing of a sheet, and those that it is made of, under names of the page. */
function copy(source: Document, sheet: Sheet, name: string): void {
  const found = source.getElementById(name);
  if (!found || isHere(sheet, name)) return;
  const drawing = document.importNode(found, true);
  const parts: string[] = [];
  for (const each of [drawing, ...drawing.querySelectorAll("[id], use")]) {
    if (each.id) each.id = nameIn(sheet, each.id);
    const part = each.getAttribute("href")?.slice(1);
    if (part === undefined) continue;
    parts.push(part);
    each.setAttribute("href", `#${nameIn(sheet, part)}`);
  }
  sprite().append(drawing);
  for (const part of parts) copy(source, sheet, part);
}

function sprite(): SVGSVGElement {
  if (!page?.isConnected) {
    page = document.createElementNS(SVG, "svg");
    page.setAttribute("aria-hidden", "true");
    page.setAttribute("class", "deck");
    document.body.append(page);
  }
  return page;
}

function isHere(sheet: Sheet, name: string): boolean {
  return document.getElementById(nameIn(sheet, name)) !== null;
}

function nameIn(sheet: Sheet, name: string): string {
  return `${sheet}-${name}`;
}
