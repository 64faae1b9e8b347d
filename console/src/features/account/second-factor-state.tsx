import { Alert, Button, Space, Tabs } from 'antd';
import { useTranslation } from 'react-i18next';
import type { SecondFactorState, SecurityKeyRecord } from '@/shared/api';
import { Moment } from '@/shared/ui/figures';
import { keyPlace } from './proof';
import { AddKey, SetUp } from './second-factor-forms';
import './account.css';

/** What the viewer does from the state: the other steps of the dialog. */
export type Step =
  | { what: 'state' | 'off' | 'renew' | 'add-key' | 'add-app' | 'remove-app' }
  | { what: 'rename' | 'remove'; key: SecurityKeyRecord }
  | { what: 'codes'; codes: readonly string[] };

interface Props {
  state: SecondFactorState;
  onStep: (step: Step) => void;
}

/** Turning two-step verification on, with an authenticator or with a security key. */
export function TurnedOff({
  state,
  onDone,
}: {
  state: SecondFactorState;
  onDone: (codes: readonly string[]) => void;
}) {
  const { t } = useTranslation('account');
  const isHere = keyPlace(state.keyAddress) === 'here';
  return (
    <Tabs
      items={[
        { key: 'app', label: t('key.appTab'), children: <SetUp onDone={onDone} /> },
        {
          key: 'key',
          label: t('key.tab'),
          children: isHere ? (
            <AddKey isOn={false} hasKey={false} onDone={onDone} />
          ) : (
            <NotHere state={state} />
          ),
        },
      ]}
    />
  );
}

/** Since when it is on, with what, and what can be changed. */
export function TurnedOn({ state, onStep }: Props) {
  const { t } = useTranslation('account');
  const canAddApp = !state.hasAuthenticator && keyPlace(state.keyAddress) === 'here';
  return (
    <>
      <p>{t('secondFactor.isOn')}</p>
      <dl className="second-factor-facts">
        <dt>{t('secondFactor.since')}</dt>
        <dd>
          <Moment at={state.turnedOnAt} />
        </dd>
        <dt>{t('key.app')}</dt>
        <dd>{t(state.hasAuthenticator ? 'key.appOn' : 'key.appOff')}</dd>
        <dt>{t('secondFactor.left')}</dt>
        <dd>{state.recoveryCodesLeft}</dd>
      </dl>
      <SecurityKeys state={state} onStep={onStep} />
      <Space wrap>
        {canAddApp && <Button onClick={() => onStep({ what: 'add-app' })}>{t('key.addApp')}</Button>}
        {state.hasAuthenticator && state.keys.length > 0 && (
          <Button onClick={() => onStep({ what: 'remove-app' })}>{t('key.removeApp')}</Button>
        )}
        <Button onClick={() => onStep({ what: 'renew' })}>{t('secondFactor.renew')}</Button>
        <Button danger onClick={() => onStep({ what: 'off' })}>
          {t('secondFactor.turnOff')}
        </Button>
      </Space>
    </>
  );
}

function SecurityKeys({ state, onStep }: Props) {
  const { t } = useTranslation('account');
  const isHere = keyPlace(state.keyAddress) === 'here';
  return (
    <section className="security-keys">
      <h2>{t('key.title')}</h2>
      {state.keys.length === 0 ? <p>{t('key.none')}</p> : <Keys keys={state.keys} onStep={onStep} />}
      {isHere ? (
        <Button onClick={() => onStep({ what: 'add-key' })}>{t('key.add')}</Button>
      ) : (
        <NotHere state={state} />
      )}
    </section>
  );
}

function Keys({ keys, onStep }: { keys: readonly SecurityKeyRecord[]; onStep: Props['onStep'] }) {
  const { t } = useTranslation('account');
  return (
    <ul aria-label={t('key.title')}>
      {keys.map((key) => (
        <li key={key.id}>
          <div>
            <strong>{key.name}</strong>
            <div>
              {t('key.since')} <Moment at={key.createdAt} />
              {' · '}
              {key.usedAt ? (
                <>
                  {t('key.used')} <Moment at={key.usedAt} />
                </>
              ) : (
                t('key.never')
              )}
            </div>
            {!key.isUsable && <div>{t('key.unusable')}</div>}
          </div>
          <Space>
            <Button onClick={() => onStep({ what: 'rename', key })}>{t('key.rename')}</Button>
            <Button danger onClick={() => onStep({ what: 'remove', key })}>
              {t('key.remove')}
            </Button>
          </Space>
        </li>
      ))}
    </ul>
  );
}

/** Why no security key can be used or registered on this page. */
function NotHere({ state }: { state: SecondFactorState }) {
  const { t } = useTranslation('account');
  const text =
    state.keyAddress === null ? t('key.notHere') : t('key.elsewhere', { address: state.keyAddress });
  return <Alert type="info" showIcon title={text} />;
}
