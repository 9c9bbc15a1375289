import type { seriesMessages as english } from '../en/messages.series.ts'
import type { Text } from '../plural.ts'

export const seriesMessages: Readonly<Record<keyof typeof english, Text>> = {
  'series-not-found': 'Aucune série n’a cet identifiant.',
  'series-date-not-found': 'La série n’a aucune date avec cet identifiant.',
  'series-invalid-rule': 'La règle de la série est inutilisable.',
  'series-no-dates':
    'La série n’aurait aucune date. Envoyez une règle qui en donne au moins une, par exemple FREQ=WEEKLY.',
  'series-too-many-dates':
    'La série aurait trop de dates. Envoyez une règle qui finit plus tôt, par exemple FREQ=WEEKLY;COUNT=52.',
  'series-dates-in-use':
    'Des dates que la série perdrait ont leurs propres modifications ou leurs propres billets. Envoyez drop=true pour les mettre à la corbeille.',
  'series-scope':
    'Cet événement n’est pas une date d’une série qui a des textes dans sa langue. Omettez scope ou envoyez scope=this.',
  'series-is-in-trash': 'La série est dans la corbeille. Restaurez-la d’abord.',
  'fault.series.too-many':
    '« {name} » donne {count} dates nouvelles ou à venir. Une série en a au plus {most}, par exemple FREQ=WEEKLY;COUNT=52.',
  'fault.series.segments':
    'La règle a déjà changé à {most} dates, ce qui est le maximum. Modifiez toute la série avec scope=all et past=true.',
  'fault.series.size':
    'Chacune des {count} dates a tous les textes de la série, et ensemble elles peuvent en avoir {most} Mo. Abrégez «\u00a0{name}\u00a0» pour que les textes fassent moins de {each} Ko, ou envoyez une règle qui donne moins de dates.',
  'fault.series.sizes':
    'Les séries d’une requête peuvent avoir ensemble {most} Mo de textes sur toutes leurs dates. Envoyez-les en plusieurs requêtes ou abrégez «\u00a0{name}\u00a0».',
  'fault.series.this': '« {name} » modifie plusieurs dates. Ajoutez scope=following ou scope=all.',
  'fault.series.translation':
    '« {name} » ne peut pas être envoyé pour une traduction. Envoyez-le pour l’événement d’origine.',
  'fault.series.event':
    '« {name} » doit contenir des identifiants d’événements d’une même langue que vous pouvez modifier et qui ne font partie d’aucune série : {part}.',
  'fault.series.fields': '« {name} » doit contenir des champs que la date ne partage pas avec sa série : {allowed}.',
  'fault.series.early':
    '« {name} » doit être après {start}. C’est la dernière date avant celles que vous modifiez, et elle reste. Modifiez toutes les dates avec scope=all et past=true.',
  'fault.series.positions':
    '« {name} » ne peut pas déplacer la règle {part} à ce jour, car elle compte des jours dans les mois. Envoyez aussi la nouvelle règle dans « recurrence ».',
  'fault.series.date': '« {name} » doit être une date que la série n’a pas encore, par exemple 2030-01-31 19:00:00.',
}
