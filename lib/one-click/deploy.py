"""Custom resources of the one-click template: the files of the release, and the first token."""

import hashlib
import json
import os
import time
import urllib.request

import boto3


def copy_files(event, wanted):
    bucket = boto3.resource("s3").Bucket(wanted["Bucket"])
    if event["RequestType"] == "Delete":
        bucket.objects.all().delete()
        return
    for file in wanted["Files"]:
        name, place, digest = file["Name"], "/tmp/" + file["Name"], hashlib.sha256()
        with urllib.request.urlopen(wanted["Address"] + "/" + name) as source, open(place, "wb") as target:
            while piece := source.read(1 << 20):
                digest.update(piece)
                target.write(piece)
        if digest.hexdigest() != file["Sha256"]:
            raise ValueError(name + " is not the file of this release: its SHA-256 differs.")
        bucket.upload_file(place, name)
        os.remove(place)


def store_token(event, wanted):
    if event["RequestType"] != "Create":
        return
    secrets = boto3.client("secretsmanager")
    token = secrets.get_secret_value(SecretId=wanted["Secret"])["SecretString"]
    key = hashlib.sha256(token.encode()).hexdigest()
    boto3.resource("dynamodb").Table(wanted["Table"]).put_item(
        Item={
            "pk": key,
            "id": key[:12],
            "tenant": wanted["Tenant"],
            "name": "first token",
            "scopes": wanted["Scopes"],
            "created_at": time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime()),
        }
    )


WORK = {"Custom::ReleaseFiles": copy_files, "Custom::FirstToken": store_token}


def handler(event, context):
    wanted = event["ResourceProperties"]
    outcome = {"Status": "SUCCESS", "PhysicalResourceId": event["LogicalResourceId"]}
    try:
        WORK[event["ResourceType"]](event, wanted)
        outcome["Data"] = {"Bucket": wanted.get("Bucket", "")}
    except Exception as error:
        outcome.update(Status="FAILED", Reason=str(error)[:1000])
    for name in ("StackId", "RequestId", "LogicalResourceId"):
        outcome[name] = event[name]
    body = json.dumps(outcome).encode()
    urllib.request.urlopen(urllib.request.Request(event["ResponseURL"], body, {"Content-Type": ""}, method="PUT"))
