import { table } from '../../src/cli/output.ts'

/** One figure of the benchmarks, with the figure that it is compared with. */
export interface Row {
  readonly section: string
  readonly what: string
  readonly events: number
  readonly figure: string
  /** The figure as a number, for the curve of growth. Lower is always better. */
  readonly milliseconds?: number
  readonly ratio?: string
  /** Bytes of one answer on the wire, without a coding and coded. */
  readonly wire?: string
  readonly target: string
  readonly isMet: boolean | undefined
}

const head = ['', 'events', 'figure', 'against the floor', 'bytes on the wire', 'target', ''] as const

function cells({ what, events, figure, ratio = '', wire = '', target, isMet }: Row): readonly string[] {
  const verdict = isMet === undefined ? '' : isMet ? 'met' : 'missed'
  return [what, events.toLocaleString('en'), figure, ratio, wire, target, verdict]
}

/** Returns how much longer each measurement takes with the most events than with a hundred thousand. */
export function growthOf(rows: readonly Row[]): readonly Row[] {
  const from = 100_000
  return rows.flatMap((row): readonly Row[] => {
    const small = rows.find((other) => other.what === row.what && other.events === from)
    if (row.events <= from || row.milliseconds === undefined || small?.milliseconds === undefined) return []
    const ratio = row.milliseconds / small.milliseconds
    return [
      {
        ...{ section: row.section, what: `growth of ${row.what}`, events: row.events, figure: '' },
        ...{ ratio: `${ratio.toFixed(2)} × that of 100,000`, target: '≤ 1.5 ×', isMet: ratio <= 1.5 },
      },
    ]
  })
}

export function textTable(rows: readonly Row[]): string {
  return table(head, rows.map(cells))
}

export function markdownTable(rows: readonly Row[]): string {
  const line = (row: readonly string[]) => `| ${row.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map((row) => line(cells(row)))].join('\n')
}
