import assert from 'node:assert/strict'
import { test } from 'node:test'
import { likeness, nameWords } from './alike.ts'

test('names of the same place are alike, and those of neighbours are not', () => {
  const found = (
    [
      ['Nature Centre', 'Nature Center'],
      ['The Nature Centre', 'nature centre'],
      ['Town hall', 'Townhall'],
      ['Bibliothèque de Laval', 'Laval bibliotheque'],
      ['Town Hall, Laval', 'Town Hall'],
      ['Nature Centre', 'Natuer Centre'],
      ['Bibliothèque Émile-Nelligan', 'Bibliotheque Emile Neligan'],
      ['Room 12', 'Room 13'],
      ['Salle A', 'Salle B'],
      ['East Park', 'West Park'],
      ['North Gallery', 'South Gallery'],
      ['City Hall', 'Town Hall'],
      ['–', '…'],
      ['', ''],
    ] as const
  ).map(([one, other]) => likeness(nameWords(one, 'Laval'), nameWords(other, 'Laval')))

  assert.deepEqual(found, [
    ...['spelling', 'name', 'name', 'name', 'name', 'spelling', 'spelling'],
    ...Array(7).fill(undefined),
  ])
})
