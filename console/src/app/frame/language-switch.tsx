import { GlobalOutlined } from '@ant-design/icons';
import { Button, Dropdown } from 'antd';
import { useTranslation } from 'react-i18next';
import { currentLocale, type Locale, switchLocale } from '@/shared/i18n/locale';
import { forgetUnsaved, isAnythingUnsaved } from '@/shared/pages/unsaved';
import { useLeave } from '@/shared/ui/use-leave';

/** Chooses the language; a reload replaces every text. */
export function LanguageSwitch() {
  const { t } = useTranslation('frame');
  const locale = currentLocale();
  const leave = useLeave();
  const switchTo = (wanted: Locale) =>
    leave(isAnythingUnsaved(), () => {
      forgetUnsaved();
      switchLocale(wanted);
    });
  const items = (['zh', 'en'] as const).map((key) => ({ key, label: t(`language.${key}`) }));
  return (
    <Dropdown
      trigger={['click']}
      autoFocus
      menu={{
        items,
        selectedKeys: [locale],
        onClick: ({ key }) => key !== locale && switchTo(key as Locale),
      }}
    >
      <Button type="text" size="middle" icon={<GlobalOutlined />} aria-label={t('switchLanguage')}>
        {t(`language.${locale}`)}
      </Button>
    </Dropdown>
  );
}
