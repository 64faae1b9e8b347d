import { useTranslation } from 'react-i18next';
import { paths } from '@/shared/pages/paths';
import { PageNav } from '@/shared/ui/page-nav';
import './subscribe.css';

const places = {
  masters: paths.subscribe(),
  customers: paths.subscribers(),
  databases: paths.subscriberDatabases(),
  sheet: paths.dataSheet(),
} as const;
export type SubscribePlace = keyof typeof places;

/** The ways between the pages of subscriptions. */
export function SubscribeNav({ place }: { place: SubscribePlace }) {
  const { t } = useTranslation('subscribe');
  return (
    <>
      <h1 className="visually-hidden">{t(`place.${place}`)}</h1>
      <PageNav
        label={t('place.all')}
        pages={(Object.keys(places) as SubscribePlace[]).map((key) => ({
          path: places[key],
          label: t(`place.${key}`),
        }))}
        current={places[place]}
      />
    </>
  );
}
