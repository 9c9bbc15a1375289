import type { PartName } from './backup.ts'

/** Verifies the order of parts: the header, tables, pictures, the manifest, with checksums among them. */
export interface PartOrder {
  /** Whether this part may come next. */
  accepts(what: PartName): boolean
  /** Whether the last part has come. */
  isOver(): boolean
}

export function createPartOrder(): PartOrder {
  const seen = new Set<string>()
  const isNew = (name: string) => seen.size < seen.add(name).size
  let phase: 'start' | 'tables' | 'pictures' | 'over' = 'start'
  let current = { table: '', number: 0 }
  let sums = 0

  const acceptsRows = ({ table, number }: { readonly table: string; readonly number: number }): boolean => {
    const isSame = table === current.table
    const expected = isSame ? current.number + 1 : 1
    current = { table, number }
    return phase === 'tables' && number === expected && (isSame || isNew(table))
  }
  return {
    accepts: (what) => {
      const isWithin = phase === 'tables' || phase === 'pictures'
      switch (what.kind) {
        case 'beginning': {
          const isFirst = phase === 'start'
          phase = 'tables'
          return isFirst
        }
        case 'rows':
          return acceptsRows(what)
        case 'picture':
          if (isWithin) phase = 'pictures'
          return isWithin && isNew(what.file)
        case 'sums':
          sums += 1
          return isWithin && what.number === sums
        case 'manifest':
          phase = 'over'
          return isWithin
      }
    },
    isOver: () => phase === 'over',
  }
}
