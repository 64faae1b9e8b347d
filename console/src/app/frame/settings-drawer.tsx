import { Button, Drawer, Form, Radio, Switch } from 'antd';
import { useTranslation } from 'react-i18next';
import {
  type ConsoleSettings,
  changeSettings,
  useConsoleSettings,
  usualSettings,
} from '@/shared/settings/console-settings';
import { themes } from '@/shared/theme/use-theme';

const switches = ['tagsView', 'fixedHeader', 'sidebarLogo', 'uniqueOpened', 'showFooter'] as const;

/** How the viewer wants the console. Each choice takes effect at once, and is the same in every browser. */
export default function SettingsDrawer({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('frame');
  const settings = useConsoleSettings();
  const isUsual = (Object.keys(usualSettings) as (keyof ConsoleSettings)[]).every(
    (name) => settings[name] === usualSettings[name],
  );
  return (
    <Drawer
      open
      title={t('settings.title')}
      size="40%"
      onClose={onClose}
      footer={
        <Button disabled={isUsual} onClick={() => changeSettings(usualSettings)}>
          {t('settings.reset')}
        </Button>
      }
    >
      <p className="frame-settings-hint">{t('settings.hint')}</p>
      <Form layout="horizontal" colon={false} labelAlign="left" labelCol={{ flex: '240px' }}>
        <Form.Item label={t('settings.theme')} htmlFor="console-theme">
          <Radio.Group
            id="console-theme"
            aria-label={t('settings.theme')}
            optionType="button"
            value={settings.theme}
            options={themes.map((theme) => ({ value: theme, label: t(`settings.themes.${theme}`) }))}
            onChange={({ target }) => changeSettings({ theme: target.value })}
          />
        </Form.Item>
        {switches.map((name) => (
          <Form.Item
            key={name}
            label={t(`settings.${name}`)}
            extra={t(`settings.about.${name}`)}
            htmlFor={`console-${name}`}
          >
            <Switch
              id={`console-${name}`}
              checked={settings[name]}
              onChange={(chosen) => changeSettings({ [name]: chosen })}
            />
          </Form.Item>
        ))}
      </Form>
    </Drawer>
  );
}
