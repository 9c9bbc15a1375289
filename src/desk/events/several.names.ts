// Cells and fields with several names. A name may contain what separates names: “Arts, crafts” is one if it exists.

/** Organizers often have commas in their names. What the service gives out has semicolons everywhere. The
 * editor shows organizers with plus signs between them. */
const separators = {
  organizer: /[;|]/g,
  categories: /[,;|]/g,
  tags: /[,;|]/g,
  own: /;/g,
  shown: /(?<= )\+(?= )/g,
} as const

/** As many parts as a known name with separators in it has. */
const longestRun = 4

interface Parts {
  readonly count: number
  /** Returns the text from one part to another one. */
  readonly run: (first: number, last: number) => string
}

function partsOf(cell: string, separator: keyof typeof separators, most: number): Parts {
  const marks = [...cell.matchAll(separators[separator])].map(({ index }) => index)
  const [starts, ends] = [
    [0, ...marks.map((mark) => mark + 1)],
    [...marks, cell.length],
  ]
  return { count: Math.min(starts.length, most), run: (first, last) => cell.slice(starts[first], ends[last]).trim() }
}

/** Returns all that may be a name in these cells, the likeliest first. */
export function possibleNames(
  cells: readonly string[],
  separator: keyof typeof separators,
  most: number,
): readonly string[] {
  const all = cells.map((cell) => partsOf(cell, separator, most))
  const runs = (length: number) =>
    all.flatMap(({ count, run }) =>
      Array.from({ length: Math.max(0, count - length + 1) }, (_, first) => run(first, first + length - 1)),
    )
  const lengths = Array.from({ length: longestRun }, (_, place) => place + 1)
  return [...cells, ...lengths.flatMap(runs)]
}

/** Returns the names in a cell: the longest ones that exist, and otherwise its parts. */
export function namesIn(
  cell: string,
  separator: keyof typeof separators,
  { isKnown, most }: { readonly isKnown: (name: string) => boolean; readonly most: number },
): readonly string[] {
  if (cell === '' || isKnown(cell)) return cell === '' ? [] : [cell]
  const { count, run } = partsOf(cell, separator, most)
  const names: string[] = []
  for (let first = 0; first < count; ) {
    const lengths = Array.from({ length: Math.min(longestRun, count - first) }, (_, more) => first + more)
    const last = lengths.findLast((end) => end > first && isKnown(run(first, end))) ?? first
    names.push(run(first, last))
    first = last + 1
  }
  return names.filter((name) => name !== '')
}
