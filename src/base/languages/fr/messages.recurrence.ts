import type { recurrenceMessages as english } from '../en/messages.recurrence.ts'
import type { Text } from '../plural.ts'

export const recurrenceMessages: Readonly<Record<keyof typeof english, Text>> = {
  'fault.recurrence.form':
    '« {name} » doit être un objet avec rrule, dates ou les deux, par exemple {example}, ou des lignes iCalendar, par exemple RRULE:FREQ=WEEKLY;BYDAY=FR.',
  'fault.recurrence.member':
    '« {name} » contient « {part} », qui est inconnu. Sont permis : {allowed}, par exemple {example}.',
  'fault.recurrence.line':
    'Chaque ligne de « {name} » doit être une ligne RRULE, RDATE ou EXDATE, par exemple RRULE:FREQ=WEEKLY;BYDAY=FR. Celle-ci ne l’est pas : « {part} ».',
  'fault.recurrence.long':
    'La règle de « {name} » doit compter au plus {most} caractères, par exemple FREQ=WEEKLY;BYDAY=FR.',
  'fault.recurrence.two-rules':
    '« {name} » doit avoir une seule règle, par exemple FREQ=WEEKLY;BYDAY=TU,FR. Créez une autre série pour une autre règle.',
  'fault.recurrence.part':
    'La règle de « {name} » contient « {part} », qui n’est pas pris en charge. Sont permis : {allowed}, par exemple FREQ=WEEKLY;BYDAY=FR.',
  'fault.recurrence.twice':
    'La règle de « {name} » contient {part} deux fois. Envoyez-le une seule fois, par exemple BYDAY=TU,FR.',
  'fault.recurrence.FREQ':
    'FREQ dans « {name} » doit être DAILY, WEEKLY, MONTHLY ou YEARLY, par exemple FREQ=WEEKLY. Un événement ne peut pas se répéter au cours d’une même journée.',
  'fault.recurrence.INTERVAL':
    'INTERVAL dans « {name} » doit être un nombre entier de 1 à 999, par exemple INTERVAL=2 pour une semaine sur deux.',
  'fault.recurrence.BYMONTH':
    'BYMONTH dans « {name} » doit contenir des numéros de mois de 1 à 12, par exemple BYMONTH=6,7.',
  'fault.recurrence.BYMONTHDAY':
    'BYMONTHDAY dans « {name} » doit contenir des jours de 1 à 31, ou de -1 à -31 pour compter à partir de la fin, par exemple BYMONTHDAY=1,-1.',
  'fault.recurrence.BYDAY':
    'BYDAY dans « {name} » doit contenir les jours MO, TU, WE, TH, FR, SA ou SU, avec un rang de 1 à 53 ou de -1 à -53 pour n’en retenir qu’un, par exemple BYDAY=TU,FR ou BYDAY=-1FR.',
  'fault.recurrence.BYSETPOS':
    'BYSETPOS dans « {name} » doit contenir des positions de 1 à 366, ou de -1 à -366 pour compter à partir de la fin, par exemple BYSETPOS=-1.',
  'fault.recurrence.COUNT': 'COUNT dans « {name} » doit être un nombre entier de 1 à 9999, par exemple COUNT=10.',
  'fault.recurrence.UNTIL':
    'UNTIL dans « {name} » doit être un jour ou une heure qui existe, par exemple UNTIL=20300131 ou UNTIL=20300131T190000.',
  'fault.recurrence.WKST': 'WKST dans « {name} » doit être MO, TU, WE, TH, FR, SA ou SU, par exemple WKST=SU.',
  'fault.recurrence.count-and-until':
    'La règle de « {name} » doit avoir COUNT ou UNTIL, mais pas les deux, par exemple FREQ=WEEKLY;COUNT=10.',
  'fault.recurrence.ordinal':
    'BYDAY dans « {name} » ne peut donner un rang aux jours de la semaine qu’avec FREQ=MONTHLY ou FREQ=YEARLY, par exemple FREQ=MONTHLY;BYDAY=2FR.',
  'fault.recurrence.weekly-month-day':
    'BYMONTHDAY dans « {name} » ne va pas avec FREQ=WEEKLY. Envoyez FREQ=MONTHLY, par exemple FREQ=MONTHLY;BYMONTHDAY=15.',
  'fault.recurrence.position':
    'BYSETPOS dans « {name} » exige BYDAY, BYMONTHDAY ou BYMONTH, par exemple FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1.',
  'fault.recurrence.date':
    '« {part} » dans « {name} » doit être un jour ou une heure qui existe, par exemple 2030-01-31 ou 2030-01-31 19:00:00.',
  'fault.recurrence.zone':
    '« {part} » dans « {name} » n’est pas un fuseau horaire connu. Envoyez-en un, par exemple America/Toronto.',
  'fault.recurrence.too-many':
    '« {name} » doit compter au plus {most} dates dans {part}. Pour en avoir davantage, utilisez une règle, par exemple FREQ=WEEKLY.',
  'fault.recurrence.before-start':
    '« {part} » dans « {name} » ne doit pas précéder le début de l’événement, soit {start}. Ce début est la première date.',
  'fault.recurrence.too-far':
    '« {part} » dans « {name} » doit suivre le début de l’événement, soit {start}, d’au plus {most} ans. Si la règle n’a pas de fin, n’en indiquez aucune.',
  'fault.recurrence.never':
    'La règle de « {name} » ne donne aucune date dans les {most} ans qui suivent le début de l’événement, soit {start}. Vérifiez ses jours et ses mois, par exemple FREQ=MONTHLY;BYMONTHDAY=31.',
  'fault.recurrence.no-dates':
    '« {name} » exclut toutes ses dates à partir du {start}. Retirez certaines des dates de except.',
}
