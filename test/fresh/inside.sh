#!/bin/sh
# Runs in a fresh root as its first process: `npm start` twice, `npm test`, or docs/deploy.md up to the first call that
# needs an account. What the outside is to know is said in
# lines that begin with @.
cd /home/platen || exit 1

# What runs besides this script, the shell it waits with, and what looks.
others() {
  for status in /proc/[0-9]*/status; do
    pid=${status#/proc/}
    pid=${pid%/status}
    [ "$pid" = 1 ] || [ "$pid" = $$ ] && continue
    name=$(tr '\0' ' ' < "/proc/$pid/cmdline" 2> /dev/null)
    [ -n "$name" ] && case $name in *inside.sh*) ;; *) echo "$pid $name" ;; esac
  done
}

start() {
  npm start &
  npm=$!
  until node -e "fetch('http://localhost:$PLATEN_PORT/v1/token', { headers: { authorization: process.env.PLATEN_TOKEN } })
      .then(({ status }) => process.exit(status === 200 ? 0 : 1), () => process.exit(1))"; do
    kill -0 $npm 2> /dev/null || { echo '@failed npm start ended before it answered'; exit 1; }
    sleep 0.2
  done
  echo "@answers $1"
  kill -TERM $npm
  wait $npm
  echo "@ended $1 with $?"
  # npm may go before the service does.
  tries=0
  while [ -n "$(others)" ] && [ $tries -lt 60 ]; do
    sleep 0.5
    tries=$((tries + 1))
  done
  left="$(others) $(ls -d /tmp/platen* /dev/shm/* 2> /dev/null)"
  [ -z "$(echo $left)" ] || { echo "@failed left behind: $left"; exit 1; }
  echo "@clean $1"
}

case $1 in
  start)
    start first
    echo '@again'
    start second
    ;;
  test)
    npm test
    echo "@ended test with $?"
    ;;
  deploy)
    npm ci --no-audit --no-fund && npx cdk synth --quiet
    echo "@ended synth with $?"
    for stack in Storage Api; do [ -f cdk.out/$stack.template.json ] || echo "@failed there is no $stack"; done
    for command in bootstrap diff 'deploy --all --require-approval never'; do
      said=$(AWS_EC2_METADATA_DISABLED=true npx cdk $command 2>&1) && echo "@failed cdk $command took no account"
      case $said in
        *credentials* | *'resolve AWS account'* | *'environment name'*) echo "@account asked for by cdk $command" ;;
        *) echo "@failed cdk $command: $(echo "$said" | tail -3)" ;;
      esac
    done
    ;;
esac
